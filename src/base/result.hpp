// A value, or the diagnostic that says why there is none.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <variant>

#include "base/diagnostic.hpp"

namespace ullage::base {

// Thrown only where an invariant of the program is broken; `main` reports it and exits with 70.
struct Defect {
  std::string message;
};

// Asserts an invariant in every build. Throws Defect with `message`, and `about` behind it.
inline void require(bool holds, std::string_view message, std::string_view about = {}) {
  if (!holds) [[unlikely]]
    throw Defect{std::string(message).append(about)};
}

// Either a T or a Diagnostic. Reading the side that is not there is a Defect. The diagnostic is
// held apart, so that the good way costs little more than the T itself.
template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : content_(std::in_place_index<0>, std::move(value)) {}
  Result(Diagnostic diagnostic)
      : content_(std::in_place_index<1>, std::make_unique<Diagnostic>(std::move(diagnostic))) {}

  bool ok() const { return content_.index() == 0; }
  explicit operator bool() const { return ok(); }

  T& value() & {
    require(ok(), "value read from a failed result");
    return *std::get_if<0>(&content_);
  }
  const T& value() const& {
    require(ok(), "value read from a failed result");
    return *std::get_if<0>(&content_);
  }
  T&& value() && {
    require(ok(), "value read from a failed result");
    return std::move(*std::get_if<0>(&content_));
  }
  T& operator*() & { return value(); }
  const T& operator*() const& { return value(); }
  T&& operator*() && { return std::move(*this).value(); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }

  const Diagnostic& error() const& {
    require(!ok(), "error read from a good result");
    return **std::get_if<1>(&content_);
  }
  Diagnostic&& error() && {
    require(!ok(), "error read from a good result");
    return std::move(**std::get_if<1>(&content_));
  }

 private:
  std::variant<T, std::unique_ptr<Diagnostic>> content_;
};

// Success without a value, or a Diagnostic.
template <>
class [[nodiscard]] Result<void> {
 public:
  Result() = default;
  Result(Diagnostic diagnostic) : error_(std::make_unique<Diagnostic>(std::move(diagnostic))) {}

  bool ok() const { return error_ == nullptr; }
  explicit operator bool() const { return ok(); }
  void value() const { require(ok(), "value read from a failed result"); }

  const Diagnostic& error() const& {
    require(!ok(), "error read from a good result");
    return *error_;
  }
  Diagnostic&& error() && {
    require(!ok(), "error read from a good result");
    return std::move(*error_);
  }

 private:
  std::unique_ptr<Diagnostic> error_;
};

}  // namespace ullage::base

#define ULLAGE_TRY_NAME2(line) ullage_result_##line
#define ULLAGE_TRY_NAME(line) ULLAGE_TRY_NAME2(line)
#define ULLAGE_TRY_DECLARE(name, declaration, ...) \
  auto name = (__VA_ARGS__);                       \
  if (!name.ok()) return std::move(name).error();  \
  declaration = std::move(name).value()

// ULLAGE_TRY(auto x, expression): x becomes the value of the Result, or the function returns its
// diagnostic. The only macro that code outside this file uses, with its form for Result<void>.
#define ULLAGE_TRY(declaration, ...) \
  ULLAGE_TRY_DECLARE(ULLAGE_TRY_NAME(__LINE__), declaration, __VA_ARGS__)
#define ULLAGE_CHECK(...)                                                               \
  do {                                                                                  \
    if (auto checked = (__VA_ARGS__); !checked.ok()) return std::move(checked).error(); \
  } while (false)
