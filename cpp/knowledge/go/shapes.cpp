#include "knowledge/go/shapes.hpp"

#include <algorithm>
#include <bit>
#include <stdexcept>
#include <utility>

#include "core/rng.hpp"

namespace tesuji {
namespace {

constexpr int kReach = ShapeBoard::kReach;

constexpr std::pair<int, int> turned(int symmetry, int dx, int dy) {
  if ((symmetry & 1) != 0) dx = -dx;
  if ((symmetry & 2) != 0) dy = -dy;
  return (symmetry & 4) != 0 ? std::pair(dy, dx) : std::pair(dx, dy);
}

using Keys = ShapeKeys;

void add(const Keys& keys, Keys& hashes) {
  for (int symmetry = 0; symmetry < kShapeSymmetries; ++symmetry) hashes[symmetry] ^= keys[symmetry];
}

// What may be told of a point, besides its colour.
enum Detail { kColour, kLiberties, kLast };

// The keys of what is on a point, one for each symmetry. Nothing has the value 0.
Keys keys_of(Detail detail, int value, int dx, int dy) {
  Keys keys{};
  for (int symmetry = 0; value != 0 && symmetry < kShapeSymmetries; ++symmetry) {
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

// The same as two tables for who adds everything that it sees, without asking whether there is anything: of each point
// the keys of every look, and of each size where its points begin.
struct Rings {
  std::vector<int> offsets;
  std::vector<std::array<Keys, ShapeBoard::kLooks>> keys;
  std::array<int, kLastShapeSize + 2> begin{};
};

const Rings& rings() {
  static const Rings all = [] {
    Rings result;
    for (const ShapePoint& point : shape_points()) {
      result.offsets.push_back(point.offset);
      auto& keys = result.keys.emplace_back();
      for (int look = 0; look < ShapeBoard::kLooks; ++look) {
        keys[look] = point.colours[look % ShapeBoard::kLastStone];
        if (look >= ShapeBoard::kLastStone) add(point.last, keys[look]);
      }
      for (int size = point.size + 1; size <= kLastShapeSize + 1; ++size) ++result.begin[size];
    }
    return result;
  }();
  return all;
}

// Branches would be mispredicted: the least of eight random numbers.
std::uint64_t least_of(const Keys& hashes) {
  std::array<std::uint64_t, 4> four;
  for (int i = 0; i < 4; ++i) four[i] = hashes[i] < hashes[i + 4] ? hashes[i] : hashes[i + 4];
  const std::uint64_t a = four[0] < four[1] ? four[0] : four[1];
  const std::uint64_t b = four[2] < four[3] ? four[2] : four[3];
  return a < b ? a : b;
}

// The size counts: a larger shape may add nothing but empty points.
std::uint64_t shape_hash(const Keys& hashes, int size) {
  return (least_of(hashes) ^ static_cast<std::uint64_t>(size)) * 0x9e3779b97f4a7c15u;
}

Keys liberty_keys(const ShapeBoard& board, int centre) {
  Keys hashes{};
  for (const Neighbour& neighbour : neighbours()) {
    add(neighbour.liberties[board.liberties(centre + neighbour.offset)], hashes);
  }
  return hashes;
}

void add_ring(const ShapeBoard& board, int centre, const Rings& rings, int size, Keys& hashes) {
  Keys sum = hashes;
  for (int i = rings.begin[size]; i < rings.begin[size + 1]; ++i) {
    add(rings.keys[i][board.look(centre + rings.offsets[i])], sum);
  }
  hashes = sum;
}

}  // namespace

ShapeHasher::ShapeHasher(const ShapeBoard& board, int place) : board_(board), centre_(place) {
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
    if (cell != ShapeBoard::kEmpty) add(points[done_].colours[cell], hashes_);
  }
}

void ShapeHasher::add_liberties() {
  for (const Neighbour& neighbour : neighbours()) {
    const int count = board_.liberties(centre_ + neighbour.offset);
    if (count != 0) add(neighbour.liberties[count], hashes_);
  }
}

void ShapeHasher::add_last() {
  // It is one of the points that were added last.
  const auto& points = shape_points();
  int point = done_ - 1;
  while (centre_ + points[point].offset != board_.last()) --point;
  add(points[point].last, hashes_);
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
  return shape_hash(hashes_, size_++);
}

ShapeTable::ShapeTable(std::span<const std::uint64_t> hashes, bool marks_last)
    : count_(hashes.size()),
      marks_last_(marks_last),
      mask_(std::bit_ceil((hashes.size() + hashes.size() / 4) / kSlots + 1) - 1),
      buckets_(mask_ + 1) {
  for (std::uint32_t i = 0; i < hashes.size(); ++i) {
    if (const std::uint32_t found = find(hashes[i]); found != kUnknown) {
      if (hashes[found - 1] == hashes[i]) throw std::invalid_argument("two shapes have the same hash");
      continue;  // one in millions: it counts as the other that has the same half
    }
    std::uint64_t bucket = hashes[i] & mask_;
    while (buckets_[bucket].numbers.back() != kUnknown) bucket = (bucket + 1) & mask_;
    auto& numbers = buckets_[bucket].numbers;
    const auto slot = std::find(numbers.begin(), numbers.end(), kUnknown) - numbers.begin();
    buckets_[bucket].halves[slot] = half(hashes[i]);
    numbers[slot] = i + 1;
  }
}

std::uint32_t ShapeTable::find(std::uint64_t hash) const {
  const std::uint32_t wanted = half(hash);
  for (std::uint64_t place = hash & mask_;; place = (place + 1) & mask_) {
    const Bucket& bucket = buckets_[place];
    std::uint32_t found = kUnknown;
    for (int slot = 0; slot < kSlots; ++slot) found |= bucket.halves[slot] == wanted ? bucket.numbers[slot] : kUnknown;
    if (found != kUnknown || bucket.numbers.back() == kUnknown) return found;
  }
}

void ShapeTable::find_largest(const ShapeBoard& board, std::span<const int> places,
                              std::span<std::uint32_t> numbers) const {
  std::array<Keys, kMaxGoSize * kMaxGoSize> hashes;
  std::array<std::uint64_t, kMaxGoSize * kMaxGoSize> wanted;
  std::array<std::uint16_t, kMaxGoSize * kMaxGoSize> growing;  // the places whose shapes are known so far
  const Rings& all_rings = rings();
  std::size_t count = places.size();
  for (std::size_t i = 0; i < count; ++i) {
    growing[i] = static_cast<std::uint16_t>(i);
    numbers[i] = kUnknown;
    hashes[i] = liberty_keys(board, places[i]);
  }
  for (int size = kFirstShapeSize + 1; size <= kLastShapeSize && count > 0; ++size) {
    for (std::size_t i = 0; i < count; ++i) {
      Keys& keys = hashes[growing[i]];
      add_ring(board, places[growing[i]], all_rings, size, keys);
      wanted[i] = shape_hash(keys, size);
      __builtin_prefetch(&buckets_[wanted[i] & mask_]);
    }
    std::size_t left = 0;
    for (std::size_t i = 0; i < count; ++i) {
      const std::uint16_t place = growing[i];
      const std::uint32_t found = find(wanted[i]);
      numbers[place] = found == kUnknown ? numbers[place] : found;
      growing[left] = place;
      left += found != kUnknown;
    }
    count = left;
  }
  for (std::size_t i = 0; i < places.size(); ++i) {
    if (numbers[i] == kUnknown) numbers[i] = find(ShapeHasher(board, places[i]).next());
  }
}

}  // namespace tesuji
