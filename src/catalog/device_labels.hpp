// Which device a node label's value, or an accelerator's name, stands for.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "document/value.hpp"

namespace ullage::catalog {

enum class LabelMeaning : std::uint8_t {
  device,   // `device` is its id
  likely,   // the value names several sizes; `device` is the usual one
  several,  // the value stands for several devices; `text` says which
  never,    // no node carries the value; `text` is the one that is meant
};

struct DeviceLabel {
  LabelMeaning meaning = LabelMeaning::device;
  std::string device;
  std::string text;
  std::string source;
  std::string locator;
};

class DeviceLabels {
 public:
  // Reads the table; the first fault stops it.
  static base::Result<DeviceLabels> load(const document::Document& document);

  // Whether values of that label name devices.
  bool knows(std::string_view key) const;
  // What the value means, letters compared as they are, then in lower case; nullptr for none.
  const DeviceLabel* find(std::string_view key, std::string_view value) const;
  // The values of a label that name devices, sorted.
  std::vector<std::string_view> values(std::string_view key) const;
  // Every device that the table names.
  std::vector<std::string> devices() const;

 private:
  using Values = std::map<std::string, DeviceLabel, std::less<>>;
  std::map<std::string, Values, std::less<>> by_key_;
};

}  // namespace ullage::catalog
