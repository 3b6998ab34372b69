// Go once more, slowly: what the fast boards are tested against.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <optional>
#include <set>
#include <vector>

namespace tesuji {

using Stones = std::vector<int>;  // 0, 1 or 2 (empty) for each point

// The rules, from their definition: whole boards and flood fill, nothing incremental.
class SlowGo {
 public:
  SlowGo(int size, bool superko) : size_(size), superko_(superko), past_{Stones(size * size, 2)} {
    for (int point = 0; point < size * size; ++point) {
      std::vector<int>& list = neighbours_.emplace_back();
      if (point >= size) list.push_back(point - size);
      if (point < size * (size - 1)) list.push_back(point + size);
      if (point % size > 0) list.push_back(point - 1);
      if ((point + 1) % size > 0) list.push_back(point + 1);
    }
  }

  const Stones& stones() const { return past_.back(); }
  int to_move() const { return to_move_; }
  const std::vector<int>& neighbours(int point) const { return neighbours_[point]; }

  // A chain or an empty region, and what it touches there: bits 0, 1, 2 for black, white and empty points.
  struct Region {
    std::vector<int> points;
    int touched = 0;
  };

  Region region(const Stones& stones, int start) const {
    Region result{{start}, 0};
    std::vector<bool> seen(stones.size());
    seen[start] = true;
    for (std::size_t i = 0; i < result.points.size(); ++i) {
      for (const int neighbour : neighbours(result.points[i])) {
        if (stones[neighbour] != stones[start]) result.touched |= 1 << stones[neighbour];
        if (stones[neighbour] != stones[start] || seen[neighbour]) continue;
        seen[neighbour] = true;
        result.points.push_back(neighbour);
      }
    }
    return result;
  }

  // The board after the move, without regard to ko; nothing where the point is taken or the move a suicide.
  std::optional<Stones> after(int point) const {
    if (stones()[point] != 2) return std::nullopt;
    Stones next = stones();
    next[point] = to_move_;
    for (const int neighbour : neighbours(point)) {
      if (next[neighbour] != 1 - to_move_) continue;
      const Region chain = region(next, neighbour);
      if ((chain.touched & 4) != 0) continue;
      for (const int stone : chain.points) next[stone] = 2;
    }
    if ((region(next, point).touched & 4) == 0) return std::nullopt;
    return next;
  }

  bool retakes_ko(const Stones& next) const { return past_.size() >= 2 && next == past_[past_.size() - 2]; }
  bool repeats(const Stones& next) const { return all_past_.contains(next); }

  bool is_legal(const std::optional<Stones>& next) const {
    return next && !retakes_ko(*next) && !(superko_ && repeats(*next));
  }

  bool is_own_eye(int point) const {
    int enemies = 0, diagonals = 0;
    for (int other = 0; other < size_ * size_; ++other) {
      const int rows = std::abs(other / size_ - point / size_), columns = std::abs(other % size_ - point % size_);
      if (rows + columns == 1 && stones()[other] != to_move_) return false;
      if (rows != 1 || columns != 1) continue;
      ++diagonals;
      enemies += stones()[other] == 1 - to_move_;
    }
    return diagonals == 4 ? enemies <= 1 : enemies == 0;
  }

  void play(int move) {
    past_.push_back(move == size_ * size_ ? stones() : *after(move));
    all_past_.insert(past_.back());
    to_move_ = 1 - to_move_;
  }

  int area_score() const {
    int score = 0;
    for (int point = 0; point < size_ * size_; ++point) {
      const int owners = stones()[point] == 2 ? region(stones(), point).touched : 1 << stones()[point];
      score += owners == 1 ? 1 : owners == 2 ? -1 : 0;
    }
    return score;
  }

 private:
  int size_;
  bool superko_;
  int to_move_ = 0;
  std::vector<std::vector<int>> neighbours_;
  std::vector<Stones> past_;
  std::set<Stones> all_past_{past_.front()};
};

}  // namespace tesuji
