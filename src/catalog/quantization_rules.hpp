// How quantisation sections of configurations name storage formats, and what checkpoints keep in
// 16 bits: tables of data/models/formats.yaml.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/diagnostic.hpp"
#include "exact/rational.hpp"

namespace ullage::catalog {

class Fields;

// Which classes of tensors a checkpoint keeps in a wider format.
struct Convention {
  std::string name;
  std::vector<std::string>
      keeps;             // embedding, head, norms, router, vectors, convolutions, vision …
  std::string keeps_in;  // a format; empty: the model's own 16 bits
  std::string note;
  std::string source;
  std::string locator;

  bool keeps_class(std::string_view name) const;
};

// The scalars of a quantisation section by key, nested ones with a dot between their keys. Absent
// and null are the same.
using SectionKeys = std::map<std::string, std::string, std::less<>>;

// `key: value`, `key: [value, value]`, `key: present`, `key: absent`.
struct Condition {
  std::string key;
  std::vector<std::string> values;

  bool holds(const SectionKeys& keys) const;
};

struct SectionRule {
  std::vector<Condition> when;
  std::string format;
  std::vector<std::pair<std::string, std::string>> set;  // parameter → text or `$key`
  std::vector<std::string> skips;                        // keys of lists of modules
  bool needs_skips = false;  // the list is what says which modules are kept: nothing without it
  std::string convention;
  std::string source;
  std::string locator;

  bool holds(const SectionKeys& keys) const;
  // The format with the parameters of the section: `gptq:bits=3,group=row`.
  std::string format_name(const SectionKeys& keys) const;
};

// Scales of a quantised cache, one of keys and one of values a layer.
struct CacheScales {
  std::vector<Condition> when;
  exact::Rational bits;
  std::string source;
  std::string locator;
};

struct QuantizationRules {
  std::vector<Convention> conventions;
  std::vector<SectionRule> sections;
  std::vector<CacheScales> cache_scales;

  // Reads `conventions`, `sections` and `cache_scales`; faults are collected in `file`.
  static QuantizationRules load(Fields& file);

  const Convention* convention(std::string_view name) const;
  // The first rule that holds, or nullptr.
  const SectionRule* section(const SectionKeys& keys) const;
};

}  // namespace ullage::catalog
