// The yardstick of batch.py: takes the rows of a CSV file apart into numbers and texts, then
// measures how fast as many threads write the same bytes again, with no arithmetic between.
#include <atomic>
#include <charconv>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace {

// A whole number, or a text where it is none.
struct Cell {
  std::int64_t number = 0;
  std::string_view text;
  bool is_number = false;
  char behind = ',';
};

std::vector<Cell> cells_of(std::string_view text) {
  std::vector<Cell> cells;
  while (!text.empty()) {
    const std::size_t end = text.find_first_of(",\n");
    Cell cell;
    cell.text = text.substr(0, end);
    cell.behind = text[end];
    const auto read =
        std::from_chars(cell.text.data(), cell.text.data() + cell.text.size(), cell.number);
    cell.is_number = !cell.text.empty() && read.ptr == cell.text.data() + cell.text.size() &&
                     cell.text.front() != '0';
    cells.push_back(cell);
    text.remove_prefix(end + 1);
  }
  return cells;
}

std::size_t write(const std::vector<Cell>& cells, std::size_t from, std::size_t to) {
  std::string text;
  std::size_t bytes = 0;
  for (std::size_t i = from; i < to; ++i) {
    const Cell& cell = cells[i];
    if (cell.is_number) {
      char digits[24];
      const auto end = std::to_chars(digits, digits + sizeof digits, cell.number);
      text.append(digits, end.ptr);
    } else {
      text += cell.text;
    }
    text += cell.behind;
    if (text.size() > (1U << 18)) {
      bytes += text.size();
      text.clear();
    }
  }
  return bytes + text.size();
}

}  // namespace

int main(int count, char** words) {
  if (count != 3) {
    std::fputs("batch_format ROWS.csv THREADS\n", stderr);
    return 2;
  }
  std::ifstream file(words[1], std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  if (text.empty() || text.back() != '\n') {
    std::fputs("batch_format: no rows\n", stderr);
    return 2;
  }
  const std::vector<Cell> cells = cells_of(text);
  std::size_t rows = 0;
  for (const Cell& cell : cells)
    rows += cell.behind == '\n' ? 1U : 0U;
  const auto threads = static_cast<std::size_t>(std::stoul(words[2]));
  std::atomic<std::size_t> bytes = 0;
  const auto begun = std::chrono::steady_clock::now();
  std::vector<std::thread> crew;
  for (std::size_t i = 0; i < threads; ++i) {
    crew.emplace_back([&, i] {
      bytes += write(cells, cells.size() * i / threads, cells.size() * (i + 1) / threads);
    });
  }
  for (std::thread& thread : crew)
    thread.join();
  const auto took =
      std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now() - begun)
          .count();
  if (bytes != text.size()) {
    std::fputs("batch_format: other bytes\n", stderr);
    return 1;
  }
  std::printf("%lld\n", static_cast<long long>(rows) * 1'000'000'000 / took);
  return 0;
}
