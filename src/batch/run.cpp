// A bounded queue of parts, workers, and a gate that lets results through in the order of parts.
#include "batch/run.hpp"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <deque>
#include <map>
#include <mutex>
#include <set>
#include <thread>

#include "batch/bytes.hpp"

namespace ullage::batch {
namespace {

std::string_view without_end(std::string_view line) {
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

bool is_blank(std::string_view line) {
  return line.find_first_not_of(" \t") == std::string_view::npos;
}

base::Result<void> read_line(const InputHead& head, std::string_view line, Record& record) {
  return head.format == InputFormat::csv ? read_csv_record(line, head.header, record)
                                         : read_json_record(line, record);
}

// Rows that come first; of equal ones those of earlier lines.
void keep_best(const Order& order, std::vector<RankedRow>& rows) {
  std::stable_sort(rows.begin(), rows.end(), [&](const RankedRow& a, const RankedRow& b) {
    return order.descending ? b.key < a.key : a.key < b.key;
  });
  if (rows.size() > order.most)
    rows.erase(rows.begin() + static_cast<std::ptrdiff_t>(order.most), rows.end());
}

// One thread's worker with what it reads lines into.
class Answerer {
 public:
  explicit Answerer(const RunSettings& settings)
      : settings_(settings),
        commands_(settings.commands()),
        worker_(*commands_, settings.rows, settings.fail_fast, settings.plain) {}

  PartResult answer(const Part& part) {
    PartResult result;
    result.text.reserve(part.text.size() * 2);
    LineContext context{part.head->file, part.first_line, nullptr};
    if (settings_.matrix) {
      for (std::uint64_t i = 0; i < part.count && !result.stop; ++i, ++context.line) {
        read_matrix_record(*settings_.matrix, context.line - 1, matrix_record_);
        context.record = &matrix_record_;
        worker_.answer({}, context, result);
      }
    } else {
      answer_lines(part, context, result);
    }
    if (part.fault && !result.stop) {
      context.record = nullptr;
      worker_.fault(context, *part.fault, result);
    }
    if (settings_.rows.order) keep_best(*settings_.rows.order, result.ranked);
    return result;
  }

  const std::vector<std::string>& passed() const { return worker_.passed(); }

 private:
  void answer_lines(const Part& part, LineContext& context, PartResult& result) {
    const std::string_view text = part.text;
    for (std::size_t at = 0; at < text.size() && !result.stop; ++context.line) {
      const std::size_t end = std::min(text.find('\n', at), text.size());
      const std::string_view line = without_end(text.substr(at, end - at));
      at = end + 1;
      if (is_blank(line)) continue;
      if (auto read = read_line(*part.head, line, record_); !read.ok()) {
        context.record = nullptr;
        worker_.fault(context, read.error(), result);
        continue;
      }
      context.record = &record_;
      worker_.answer(line, context, result);
    }
  }

  const RunSettings& settings_;
  std::unique_ptr<Commands> commands_;
  Worker worker_;
  Record record_;
  Record matrix_record_;
};

// The rows of `text` as far as `most` of them go.
std::string_view first_rows(std::string_view text, std::uint64_t most) {
  std::size_t end = 0;
  for (; most > 0 && end < text.size(); --most)
    end = text.find('\n', end) + 1;
  return text.substr(0, end);
}

// Lets results through in order, and adds them up.
class Gate {
 public:
  explicit Gate(const RunSettings& settings) : settings_(settings) {}

  bool begin(const std::string& header) {
    if (!header.empty() && !settings_.sink(header)) closed_ = true;
    return !closed_;
  }

  // Nothing behind a result that stops the run comes through.
  void pass(const PartResult& result) {
    if (closed_) return;
    lines_ += result.lines;
    total_.wrong += result.wrong;
    total_.unknown += result.unknown;
    total_.plain += result.plain;
    if (!total_.first_fault) total_.first_fault = result.first_fault;
    if (settings_.rows.order) {
      ranked_.insert(ranked_.end(), result.ranked.begin(), result.ranked.end());
      keep_best(*settings_.rows.order, ranked_);
    }
    write(result.text, result.rows - result.ranked.size());
    if (result.stop) closed_ = true;
  }

  bool closed() const { return closed_; }

  RunResult finish() {
    if (settings_.rows.order && !closed_) {
      std::string text;
      for (const RankedRow& row : ranked_)
        text += row.text;
      write(text, ranked_.size());
    }
    total_.lines = lines_;
    return std::move(total_);
  }
  // Both may be asked by any thread.
  std::uint64_t lines() const { return lines_; }

 private:
  void write(std::string_view text, std::uint64_t rows) {
    if (text.empty()) return;
    if (settings_.limit && total_.rows + rows >= *settings_.limit) {
      rows = *settings_.limit - total_.rows;
      text = first_rows(text, rows);
      closed_ = true;
    }
    if (!settings_.sink(text)) closed_ = true;
    total_.rows += rows;
  }

  const RunSettings& settings_;
  RunResult total_;
  std::vector<RankedRow> ranked_;
  std::atomic<std::uint64_t> lines_ = 0;
  std::atomic<bool> closed_ = false;
};

void report(const RunSettings& settings, const Parts& parts, const Gate& gate) {
  if (settings.progress) settings.progress({gate.lines(), parts.progress()});
}

void add_passed(const Answerer& answerer, std::set<std::string>& passed) {
  passed.insert(answerer.passed().begin(), answerer.passed().end());
}

base::Result<RunResult> run_alone(Parts& parts, const RunSettings& settings, Gate& gate,
                                  std::set<std::string>& passed) {
  Answerer answerer(settings);
  while (!gate.closed()) {
    ULLAGE_TRY(const std::optional<Part> part, parts.next());
    if (!part) break;
    gate.pass(answerer.answer(*part));
    report(settings, parts, gate);
  }
  add_passed(answerer, passed);
  return gate.finish();
}

// Parts on their way to workers and results on their way back.
class Crew {
 public:
  Crew(const RunSettings& settings, Gate& gate) : settings_(settings), gate_(gate) {
    for (std::size_t i = 0; i < settings.threads; ++i)
      threads_.emplace_back([this] { work(); });
  }
  Crew(const Crew&) = delete;
  Crew& operator=(const Crew&) = delete;
  ~Crew() { join(); }

  // Waits while enough is on its way. False where nothing more is wanted.
  bool give(Part part) {
    std::unique_lock lock(mutex_);
    room_.wait(lock, [this] { return underway_ < 4 * settings_.threads || ending(); });
    if (ending()) return false;
    ++underway_;
    waiting_.push_back(std::move(part));
    work_.notify_one();
    return true;
  }

  // Waits for all results. What a worker threw is thrown again.
  void finish(std::set<std::string>& passed) {
    {
      const std::lock_guard lock(mutex_);
      ended_ = true;
    }
    join();
    if (fault_) std::rethrow_exception(fault_);
    passed.insert(passed_.begin(), passed_.end());
  }

 private:
  bool ending() const { return gate_.closed() || fault_ != nullptr; }

  void join() {
    {
      const std::lock_guard lock(mutex_);
      ended_ = true;
    }
    work_.notify_all();
    for (std::thread& thread : threads_) {
      if (thread.joinable()) thread.join();
    }
  }

  void work() {
    try {
      Answerer answerer(settings_);
      while (std::optional<Part> part = take())
        bring(part->index, answerer.answer(*part));
      const std::lock_guard lock(mutex_);
      add_passed(answerer, passed_);
    } catch (...) {
      const std::lock_guard lock(mutex_);
      fault_ = std::current_exception();
      work_.notify_all();
      room_.notify_all();
    }
  }

  std::optional<Part> take() {
    std::unique_lock lock(mutex_);
    work_.wait(lock, [this] { return !waiting_.empty() || ended_ || ending(); });
    if (waiting_.empty() || ending()) return std::nullopt;
    Part part = std::move(waiting_.front());
    waiting_.pop_front();
    return part;
  }

  // Whoever brings the next result in order lets through what waits behind it too; others go on.
  void bring(std::uint64_t index, PartResult result) {
    std::unique_lock lock(mutex_);
    done_.emplace(index, std::move(result));
    while (!passing_ && !done_.empty() && done_.begin()->first == next_) {
      const PartResult first = std::move(done_.begin()->second);
      done_.erase(done_.begin());
      passing_ = true;
      lock.unlock();
      gate_.pass(first);
      lock.lock();
      passing_ = false;
      ++next_;
      --underway_;
      room_.notify_one();
      if (gate_.closed()) work_.notify_all();
    }
  }

  const RunSettings& settings_;
  Gate& gate_;
  std::mutex mutex_;
  std::condition_variable work_;
  std::condition_variable room_;
  std::deque<Part> waiting_;
  std::map<std::uint64_t, PartResult> done_;
  std::uint64_t next_ = 0;
  std::size_t underway_ = 0;
  bool passing_ = false;
  bool ended_ = false;
  std::exception_ptr fault_;
  std::set<std::string> passed_;
  std::vector<std::thread> threads_;
};

base::Result<RunResult> run_together(Parts& parts, const RunSettings& settings, Gate& gate,
                                     std::set<std::string>& passed) {
  std::optional<base::Diagnostic> fault;
  {
    Crew crew(settings, gate);
    while (true) {
      auto part = parts.next();
      if (!part) {
        fault = std::move(part).error();
        break;
      }
      if (!*part || !crew.give(std::move(**part))) break;
      report(settings, parts, gate);
    }
    crew.finish(passed);
  }
  if (fault) return std::move(*fault);
  return gate.finish();
}

}  // namespace

base::Result<RunResult> run(Parts& parts, const RunSettings& settings) {
  Gate gate(settings);
  const RowWriter writer(settings.rows);
  if (settings.header && !gate.begin(writer.header())) return gate.finish();
  std::set<std::string> passed;
  ULLAGE_TRY(RunResult result, settings.threads > 1 ? run_together(parts, settings, gate, passed)
                                                    : run_alone(parts, settings, gate, passed));
  result.passed.assign(passed.begin(), passed.end());
  result.cut = parts.cut();
  return result;
}

base::Result<void> visit_line(Parts& parts, const std::shared_ptr<const Matrix>& matrix,
                              std::uint64_t number, Commands& commands,
                              const std::function<base::Result<void>(const Scenario&)>& visit) {
  const auto missing = [&] {
    return base::Diagnostic{
        .code = base::Code::usage,
        .message = "--explain-line " + std::to_string(number) + ": no scenario stands there",
        .span = {},
        .hint = "lines count from 1, the names of CSV columns included",
        .notes = {}};
  };
  Keys keys(commands);
  Record record;
  Scenario scenario;
  while (true) {
    ULLAGE_TRY(const std::optional<Part> part, parts.next());
    if (!part || part->first_line > number) return missing();
    if (part->fault) return *part->fault;
    std::string_view line;
    if (matrix) {
      if (number >= part->first_line + part->count) continue;
      read_matrix_record(*matrix, number - 1, record);
    } else {
      std::string_view text = part->text;
      std::uint64_t at = part->first_line;
      for (; at < number && !text.empty(); ++at)
        text.remove_prefix(std::min(text.find('\n'), text.size() - 1) + 1);
      if (text.empty()) continue;
      line = without_end(text.substr(0, text.find('\n')));
      if (is_blank(line)) return missing();
      const auto in_place = [&](base::Diagnostic fault) {
        fault.span = {part->head->file, static_cast<std::uint32_t>(number), fault.span.column};
        return fault;
      };
      if (auto read = read_line(*part->head, line, record); !read.ok()) {
        return in_place(std::move(read).error());
      }
      if (auto read = keys.read(line, record, scenario); !read.ok()) {
        return in_place(std::move(read).error());
      }
      return visit(scenario);
    }
    ULLAGE_CHECK(keys.read(line, record, scenario));
    return visit(scenario);
  }
}

}  // namespace ullage::batch
