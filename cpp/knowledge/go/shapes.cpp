#include "knowledge/go/shapes.hpp"

#include <algorithm>
#include <bit>
#include <stdexcept>
#include <utility>

#include "core/rng.hpp"

namespace tesuji {
namespace {

constexpr int kReach = ShapeBoard::kReach;
constexpr int kSymmetries = 8;

constexpr std::pair<int, int> turned(int symmetry, int dx, int dy) {
  if ((symmetry & 1) != 0) dx = -dx;
  if ((symmetry & 2) != 0) dy = -dy;
  return (symmetry & 4) != 0 ? std::pair(dy, dx) : std::pair(dx, dy);
}

using Keys = std::array<std::uint64_t, kSymmetries>;

// What may be told of a point, besides its colour.
enum Detail { kColour, kLiberties, kLast };

// The keys of what is on a point, one for each symmetry. Nothing has the value 0.
Keys keys_of(Detail detail, int value, int dx, int dy) {
  Keys keys{};
  for (int symmetry = 0; value != 0 && symmetry < kSymmetries; ++symmetry) {
    const auto [x, y] = turned(symmetry, dx, dy);
    const int place = (y + kReach) * (2 * kReach + 1) + x + kReach;
    keys[symmetry] = Rng(static_cast<std::uint64_t>(16 * place + 4 * detail + value)).next();
  }
  return keys;
}

struct ShapePoint {
  ShapePoint(int dx, int dy)
      : offset(dy * ShapeBoard::kStride + dx),
        distance(shape_distance(dx, dy)),
        size(std::max(distance, kFirstShapeSize + 1)),
        last(keys_of(kLast, 1, dx, dy)) {
    for (int cell = 0; cell < 4; ++cell) colours[cell] = keys_of(kColour, cell, dx, dy);
  }

  int offset;
  int distance;
  int size;  // of the smallest shape that it belongs to, the first left out
  std::array<Keys, 4> colours;
  Keys last;
};

// From the centre outwards.
const std::vector<ShapePoint>& shape_points() {
  static const std::vector<ShapePoint> points = [] {
    std::vector<ShapePoint> all;
    for (int dy = -kReach; dy <= kReach; ++dy) {
      for (int dx = -kReach; dx <= kReach; ++dx) {
        const int distance = shape_distance(dx, dy);
        if (distance > 0 && distance <= kLastShapeSize) all.emplace_back(dx, dy);
      }
    }
    std::stable_sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.distance < b.distance; });
    return all;
  }();
  return points;
}

struct Neighbour {
  int offset;
  std::array<Keys, ShapeBoard::kMostLiberties + 1> liberties;
};

const std::array<Neighbour, 4>& neighbours() {
  static const std::array<Neighbour, 4> all = [] {
    std::array<Neighbour, 4> result{};
    constexpr std::array<std::pair<int, int>, 4> kSteps = {{{0, -1}, {-1, 0}, {1, 0}, {0, 1}}};
    for (int i = 0; i < 4; ++i) {
      const auto [dx, dy] = kSteps[i];
      result[i].offset = dy * ShapeBoard::kStride + dx;
      for (int count = 0; count <= ShapeBoard::kMostLiberties; ++count) {
        result[i].liberties[count] = keys_of(kLiberties, count, dx, dy);
      }
    }
    return result;
  }();
  return all;
}

}  // namespace

ShapeHasher::ShapeHasher(const ShapeBoard& board, int row, int column)
    : board_(board), centre_(ShapeBoard::place(row, column)) {
  if (board.last() == 0) return;
  constexpr int kStride = ShapeBoard::kStride;
  const int distance =
      shape_distance(board.last() % kStride - centre_ % kStride, board.last() / kStride - centre_ / kStride);
  last_size_ = std::max(distance, kFirstShapeSize + 1);
}

void ShapeHasher::add_colours(int size) {
  const auto& points = shape_points();
  for (; done_ < static_cast<int>(points.size()) && points[done_].size == size; ++done_) {
    const auto cell = board_.at(centre_ + points[done_].offset);
    if (cell != ShapeBoard::kEmpty) add(points[done_].colours[cell]);
  }
}

void ShapeHasher::add_liberties() {
  for (const Neighbour& neighbour : neighbours()) {
    const int count = board_.liberties(centre_ + neighbour.offset);
    if (count != 0) add(neighbour.liberties[count]);
  }
}

void ShapeHasher::add_last() {
  // It is one of the points that were added last.
  const auto& points = shape_points();
  int point = done_ - 1;
  while (centre_ + points[point].offset != board_.last()) --point;
  add(points[point].last);
}

std::uint64_t ShapeHasher::next() {
  if (size_ == kFirstShapeSize) {
    add_colours(kFirstShapeSize + 1);
  } else {
    if (size_ == kFirstShapeSize + 1) {
      add_liberties();
    } else {
      add_colours(size_);
    }
    if (size_ == last_size_) add_last();
  }
  const std::uint64_t least = *std::min_element(hashes_.begin(), hashes_.end());
  // The size counts: a larger shape may add nothing but empty points.
  return (least ^ static_cast<std::uint64_t>(size_++)) * 0x9e3779b97f4a7c15u;
}

ShapeTable::ShapeTable(std::span<const std::uint64_t> hashes, bool marks_last)
    : count_(hashes.size()),
      marks_last_(marks_last),
      mask_(std::bit_ceil(hashes.size() + hashes.size() / 4 + 1) - 1),
      slots_(mask_ + 1, Slot{0, kUnknown}) {
  for (std::uint32_t i = 0; i < hashes.size(); ++i) {
    const auto half = static_cast<std::uint32_t>(hashes[i] >> 32);
    std::uint64_t slot = hashes[i] & mask_;
    for (; slots_[slot].number != kUnknown; slot = (slot + 1) & mask_) {
      if (hashes[slots_[slot].number - 1] == hashes[i]) throw std::invalid_argument("two shapes have the same hash");
    }
    slots_[slot] = {half, i + 1};
  }
}

std::uint32_t ShapeTable::find(std::uint64_t hash) const {
  const auto half = static_cast<std::uint32_t>(hash >> 32);
  std::uint64_t slot = hash & mask_;
  while (slots_[slot].number != kUnknown && slots_[slot].hash != half) slot = (slot + 1) & mask_;
  return slots_[slot].number;
}

std::uint32_t ShapeTable::largest(const ShapeBoard& board, int row, int column) const {
  ShapeHasher hasher(board, row, column);
  std::uint32_t known = kUnknown;
  for (int size = 0; size < kShapeSizes; ++size) {
    const std::uint32_t found = find(hasher.next());
    if (found == kUnknown) break;
    known = found;
  }
  return known;
}

}  // namespace tesuji
