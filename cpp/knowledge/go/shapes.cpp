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

// A point of the shapes: where it is, and its keys for what may stand there, one for each symmetry.
struct ShapePoint {
  int offset;
  int size;  // of the smallest shape that it belongs to
  std::array<std::array<std::uint64_t, kSymmetries>, 4> keys;
};

std::uint64_t key_of(int cell, int dx, int dy) {
  if (cell == ShapeBoard::kEmpty) return 0;
  const int place = (dy + kReach) * (2 * kReach + 1) + dx + kReach;
  return Rng(static_cast<std::uint64_t>(4 * place + cell)).next();
}

ShapePoint make_point(int dx, int dy) {
  ShapePoint point{
      .offset = dy * ShapeBoard::kStride + dx, .size = std::max(shape_distance(dx, dy), kFirstShapeSize), .keys = {}};
  for (int cell = 0; cell < 4; ++cell) {
    for (int symmetry = 0; symmetry < kSymmetries; ++symmetry) {
      const auto [x, y] = turned(symmetry, dx, dy);
      point.keys[cell][symmetry] = key_of(cell, x, y);
    }
  }
  return point;
}

// From the smallest shape to the largest.
const std::vector<ShapePoint>& shape_points() {
  static const std::vector<ShapePoint> points = [] {
    std::vector<ShapePoint> all;
    for (int dy = -kReach; dy <= kReach; ++dy) {
      for (int dx = -kReach; dx <= kReach; ++dx) {
        const int distance = shape_distance(dx, dy);
        if (distance > 0 && distance <= kLastShapeSize) all.push_back(make_point(dx, dy));
      }
    }
    std::stable_sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.size < b.size; });
    return all;
  }();
  return points;
}

}  // namespace

std::uint64_t ShapeHasher::next() {
  const auto& points = shape_points();
  for (; done_ < static_cast<int>(points.size()) && points[done_].size == size_; ++done_) {
    const auto cell = board_.at(centre_ + points[done_].offset);
    if (cell == ShapeBoard::kEmpty) continue;
    for (int symmetry = 0; symmetry < kSymmetries; ++symmetry) hashes_[symmetry] ^= points[done_].keys[cell][symmetry];
  }
  const std::uint64_t least = *std::min_element(hashes_.begin(), hashes_.end());
  // The size counts: a larger shape may add nothing but empty points.
  return (least ^ static_cast<std::uint64_t>(size_++)) * 0x9e3779b97f4a7c15u;
}

ShapeTable::ShapeTable(std::span<const std::uint64_t> hashes)
    : count_(hashes.size()), mask_(std::bit_ceil(2 * hashes.size() + 1) - 1), slots_(mask_ + 1, Slot{0, kUnknown}) {
  for (std::uint32_t i = 0; i < hashes.size(); ++i) {
    std::uint64_t slot = hashes[i] >> 32 & mask_;
    for (; slots_[slot].number != kUnknown; slot = (slot + 1) & mask_) {
      if (slots_[slot].hash == hashes[i]) throw std::invalid_argument("two shapes have the same hash");
    }
    slots_[slot] = {hashes[i], i + 1};
  }
}

std::uint32_t ShapeTable::find(std::uint64_t hash) const {
  std::uint64_t slot = hash >> 32 & mask_;
  while (slots_[slot].number != kUnknown && slots_[slot].hash != hash) slot = (slot + 1) & mask_;
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
