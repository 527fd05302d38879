// Sorts groups into weights, scales and buffers, and gives each weight its figures.
#include "import/header_inventory.hpp"

#include <algorithm>
#include <memory>

namespace ullage::import {
namespace {

using exact::Rational;
using model::Component;
using model::Extent;
using model::TensorGroup;

constexpr std::uint64_t kMostLayers = 100'000;

std::string without_ending(const std::string& name) {
  return name.substr(0, name.rfind('.'));
}

std::string ending_of(const std::string& name) {
  const auto point = name.rfind('.');
  return point == std::string::npos ? name : name.substr(point + 1);
}

// Whether as many scales as `a` has groups of `group` weights, two of them in an element.
bool halves_in_groups(const StoredGroup& a, const StoredGroup& scales, std::uint64_t group) {
  return scales.tensors == a.tensors &&
         Rational(a.elements()) * Rational(2) == Rational(scales.elements()) * Rational(group);
}

// GPTQ and AWQ: qzeros and scales have one entry for each group and output, the one packed into
// int32, the other not. Their ratio is the packing, whatever the bits.
std::optional<Rational> packing_of_qweight(const StoredTensors& tensors, const StoredGroup& group) {
  const std::string path = without_ending(group.name);
  std::optional<Rational> packing;
  for (const StoredGroup* zeros : tensors.called(path + ".qzeros")) {
    for (const StoredGroup* scales : tensors.called(path + ".scales")) {
      const bool paired = zeros->shape.size() == 2 && scales->shape.size() == 2 &&
                          zeros->shape[0] == scales->shape[0] && zeros->shape[1] > 0;
      if (!paired) continue;
      const Rational ratio = Rational(scales->shape[1]) / Rational(zeros->shape[1]);
      // Scales of another width may have as many rows by chance: 2, 3, 4 or 8 bits are packed.
      const bool possible = ratio == Rational(16) || ratio == *Rational::ratio(32, 3) ||
                            ratio == Rational(8) || ratio == Rational(4);
      if (!possible) continue;
      if (packing && *packing != ratio) return std::nullopt;
      packing = ratio;
    }
  }
  return packing;
}

// Two weights in a byte, told by scales for 16 or 32 of them (NVFP4, MXFP4), by the blocks of
// gpt-oss or by the tensors that bitsandbytes stores beside a weight.
bool holds_halves(const StoredTensors& tensors, const StoredGroup& group) {
  const std::string path = without_ending(group.name);
  const std::string ending = ending_of(group.name);
  if (ending.ends_with("_blocks")) {
    const std::string stem = group.name.substr(0, group.name.size() - 7);
    for (const StoredGroup* scales : tensors.called(stem + "_scales")) {
      if (halves_in_groups(group, *scales, 32)) return true;
    }
    return false;
  }
  if (ending != "weight" && ending != "weight_packed") return false;
  if (!tensors.called(group.name + ".absmax").empty()) return true;
  for (const std::string& scale :
       {path + ".weight_scale", path + ".scale", path + ".weight_scale_inv"}) {
    for (const StoredGroup* scales : tensors.called(scale)) {
      if (halves_in_groups(group, *scales, 16) || halves_in_groups(group, *scales, 32)) return true;
    }
  }
  return false;
}

std::optional<Rational> packing_of(const StoredTensors& tensors, const StoredGroup& group) {
  const std::string ending = ending_of(group.name);
  const std::string& format = group.format->name;
  if (ending == "qweight") return packing_of_qweight(tensors, group);
  const bool bytes = format == "uint8" || format == "int8";
  if (bytes && holds_halves(tensors, group)) return Rational(2);
  // Bytes of which nothing says how many weights they hold; and compressed-tensors' packed int32.
  if (ending == "weight_packed" || ending.ends_with("_blocks") || format == "uint8")
    return std::nullopt;
  return Rational(1);
}

// A scale without a telling name: one that stands beside a weight of 8 bits or fewer.
bool is_plain_scale(const StoredTensors& tensors, const StoredGroup& group) {
  if (ending_of(group.name) != "scale") return false;
  const auto beside = tensors.called(without_ending(group.name) + ".weight");
  return std::any_of(beside.begin(), beside.end(), [](const StoredGroup* weight) {
    return weight->format->bits && *weight->format->bits <= Rational(8);
  });
}

// Masks have four axes; a bias of that name has one.
bool is_bias_after_all(const StoredGroup& group, StoredRole role) {
  return role == StoredRole::buffer && group.name.ends_with(".bias") && group.shape.size() < 3;
}

bool is_integer(const catalog::StorageFormat& format) {
  return format.name == "int64" || format.name == "int32" || format.name == "int16" ||
         format.name == "bool";
}

std::uint64_t tensors_in(const StoredGroup& group, const std::set<std::uint64_t>& layers) {
  std::uint64_t sum = 0;
  for (const std::uint64_t layer : layers) {
    const auto found = group.by_layer.find(layer);
    if (found != group.by_layer.end()) sum += found->second;
  }
  return sum;
}

// Whether the first number of the name counts layers of the model.
bool counts_layers(const StoredGroup& group) {
  return group.name.find("layers.*") != std::string::npos || group.name.starts_with("blk.*");
}

// Tensors of the group that lie in prediction layers.
std::uint64_t predicting(const ReadGroup& read, const HeaderReading& how) {
  if (read.reading.component == Component::vision || !counts_layers(*read.group)) return 0;
  return tensors_in(*read.group, how.prediction_layers);
}

// How the experts of a group are told apart.
enum class Experts : std::uint8_t {
  numbered,  // a tensor each: `experts.17.up_proj`
  stacked,   // along the first axis
  merged     // not: along an axis with something else
};
Experts experts_of(const StoredGroup& group) {
  if (group.name.find("experts.*") != std::string::npos) return Experts::numbered;
  const bool bias = group.name.ends_with("bias") && group.shape.size() == 2;
  return bias || group.shape.size() >= 3 ? Experts::stacked : Experts::merged;
}

// Adds the groups of one inventory, with the figures that say where their numbers stand.
class Listing {
 public:
  Listing(provenance::Graph& graph, const HeaderReading& how) : graph_(graph), how_(how) {}

  void add(const ReadGroup& read, std::uint64_t tensors, bool prediction);
  // A table that stands in for the head is passed by every token.
  void finish();
  model::Inventory take() { return std::move(inventory_); }

 private:
  Extent given(const ReadGroup& read, std::string name, std::uint64_t value, std::string what) {
    return {name, Rational(value),
            graph_.given(name, {Rational(value), {}}, {read.group->where, std::move(what)})};
  }
  // How many layers, and which.
  Extent layers(const ReadGroup& read, std::uint64_t number, bool prediction);
  void add_shape(const ReadGroup& read, bool experts_first, TensorGroup& result);
  void add_experts(const ReadGroup& read, std::uint64_t tensors, bool prediction,
                   TensorGroup& result);

  provenance::Graph& graph_;
  const HeaderReading& how_;
  model::Inventory inventory_;
};

Extent Listing::layers(const ReadGroup& read, std::uint64_t number, bool prediction) {
  Extent extent = given(read, "layers", number, "tensors called " + read.group->name);
  if (!counts_layers(*read.group) || read.reading.component == Component::vision) return extent;
  std::vector<std::int64_t> numbers;
  for (const auto& [layer, count] : read.group->by_layer) {
    if (how_.prediction_layers.contains(layer) == prediction && layer < kMostLayers) {
      numbers.push_back(static_cast<std::int64_t>(layer));
    }
  }
  // Where a layer holds several of them, their number is none of layers.
  if (numbers.size() == number) {
    extent.layers = std::make_shared<const std::vector<std::int64_t>>(std::move(numbers));
  } else {
    extent.name = "tensors";
  }
  return extent;
}

void Listing::add_shape(const ReadGroup& read, bool experts_first, TensorGroup& result) {
  const StoredGroup& group = *read.group;
  const std::size_t first = experts_first ? 1 : 0;
  const std::size_t axes = group.shape.size() - first;
  for (std::size_t i = first; i < group.shape.size(); ++i) {
    std::string name = "axis " + std::to_string(i);
    if (axes == 1) name = "length";
    if (axes == 2) name = i == first ? "rows" : "columns";
    result.shape.push_back({given(read, std::move(name), group.shape[i],
                                  "axis " + std::to_string(i) + " of " + group.first)});
  }
  if (!read.packing) {
    const std::string why = "the header does not say how many weights an element of " +
                            base::printable(group.first) + " holds; a config.json beside it would";
    result.shape.push_back(
        {{"weights an element", 1,
          graph_.unknown("weights an element", {}, provenance::Absence::unpublished, why)}});
  } else if (*read.packing != Rational(1)) {
    result.shape.push_back(
        {{"weights an element", *read.packing,
          graph_.given("weights an element", {*read.packing, {}},
                       {group.where, "shapes of " + group.first + " and of its scales"})}});
  }
}

void Listing::add_experts(const ReadGroup& read, std::uint64_t tensors, bool prediction,
                          TensorGroup& result) {
  const StoredGroup& group = *read.group;
  const Experts experts = experts_of(group);
  std::uint64_t number = 1;
  if (experts == Experts::stacked) number = group.shape.front();
  if (experts == Experts::numbered) {
    number = group.numbers.back().second - group.numbers.back().first + 1;
    // Where some layer holds fewer, only the number of tensors is certain.
    if (tensors % number != 0) number = 1;
  }
  result.repeat.push_back(
      layers(read, experts == Experts::numbered ? tensors / number : tensors, prediction));
  const Extent count =
      given(read, "experts", number,
            experts == Experts::stacked ? "axis 0 of " + group.first : "numbers in " + group.name);
  if (number > 1) result.repeat.push_back(count);
  if (result.use == model::Use::apart) return;
  result.use = model::Use::routed;
  result.experts = count;
  if (number > 1) result.chosen = how_.chosen;
  if (result.chosen) return;
  const std::string why =
      "a checkpoint without a configuration does not say how many experts a token passes";
  result.chosen =
      Extent{"experts per token", 1,
             graph_.unknown("experts per token", {}, provenance::Absence::unpublished, why)};
}

void Listing::add(const ReadGroup& read, std::uint64_t tensors, bool prediction) {
  if (tensors == 0 || read.group->bytes == 0) return;
  const StoredGroup& group = *read.group;
  TensorGroup result;
  result.name = group.name;
  result.component = prediction ? Component::mtp : read.reading.component;
  result.split = read.reading.split;
  const bool apart = result.component == Component::mtp || result.component == Component::vision;
  if (apart) result.use = model::Use::apart;
  if (result.component == Component::embedding) result.use = model::Use::look_up;
  result.counted = !(prediction && read.reading.copy);
  const bool stacked = read.reading.routed && experts_of(group) == Experts::stacked;
  if (read.reading.routed) {
    add_experts(read, tensors, prediction, result);
  } else if (tensors > 1 || counts_layers(group)) {
    result.repeat.push_back(layers(read, tensors, prediction));
  }
  add_shape(read, stacked, result);
  inventory_.tensors.push_back(std::move(result));
}

void Listing::finish() {
  auto& tensors = inventory_.tensors;
  const bool head = std::any_of(tensors.begin(), tensors.end(), [](const TensorGroup& group) {
    return group.component == Component::head;
  });
  if (head) return;
  // The largest table: positions and token types are small.
  TensorGroup* table = nullptr;
  Rational largest;
  for (TensorGroup& group : tensors) {
    if (group.component != Component::embedding) continue;
    Rational elements = 1;
    for (const model::Axis& axis : group.shape) {
      for (const Extent& extent : axis)
        elements *= extent.value;
    }
    if (elements > largest) {
      largest = elements;
      table = &group;
    }
  }
  if (table != nullptr) table->use = model::Use::every_token;
}

}  // namespace

std::set<std::uint64_t> prediction_layers_of(const StoredTensors& tensors) {
  std::set<std::uint64_t> layers;
  for (const StoredGroup& group : tensors.groups()) {
    if (!counts_layers(group)) continue;
    const bool module = group.name.ends_with(".eh_proj.weight") ||
                        group.name.ends_with(".enorm.weight") ||
                        group.name.find(".nextn.") != std::string::npos;
    if (!module) continue;
    for (const auto& [layer, count] : group.by_layer)
      layers.insert(layer);
  }
  return layers;
}

std::vector<ReadGroup> read_groups(const StoredTensors& tensors, const HeaderReading& how) {
  std::vector<ReadGroup> groups;
  for (const StoredGroup& group : tensors.groups()) {
    ReadGroup read{.group = &group, .reading = how.read_name(group.name), .packing = Rational(1)};
    StoredRole& role = read.reading.role;
    if (is_bias_after_all(group, role)) role = StoredRole::parameter;
    if (role == StoredRole::parameter && is_plain_scale(tensors, group)) role = StoredRole::scale;
    const bool packed =
        ending_of(group.name) == "qweight" || ending_of(group.name) == "weight_packed";
    if (role == StoredRole::parameter && is_integer(*group.format) && !packed) {
      role = StoredRole::buffer;
    }
    if (role == StoredRole::parameter) read.packing = packing_of(tensors, group);
    groups.push_back(std::move(read));
  }
  return groups;
}

HeaderSums sums_of(const std::vector<ReadGroup>& groups, const HeaderReading& how) {
  HeaderSums sums;
  for (const ReadGroup& read : groups) {
    const StoredGroup& group = *read.group;
    const StoredSum all{Rational(group.elements()) * Rational(group.tensors),
                        Rational(group.bytes) * Rational(group.tensors), group.tensors};
    const auto into = [&all](StoredSum& sum) {
      sum.elements += all.elements;
      sum.bytes += all.bytes;
      sum.tensors += all.tensors;
    };
    into(sums.by_format[group.format->name]);
    if (read.reading.role != StoredRole::parameter) {
      into(read.reading.role == StoredRole::scale ? sums.scales : sums.buffers);
      sums.uniform = false;
      continue;
    }
    if (!read.packing) {
      if (sums.unknown_packing.empty()) sums.unknown_packing = group.first;
      sums.uniform = false;
      continue;
    }
    if (*read.packing != Rational(1)) sums.uniform = false;
    const Rational one = Rational(group.elements()) * *read.packing;
    const std::uint64_t modules = predicting(read, how);
    if (modules > 0) {
      const Rational elements = one * Rational(modules);
      if (read.reading.copy) {
        sums.copies += elements;
      } else {
        sums.parameters[Component::mtp] += elements;
      }
    }
    if (group.tensors > modules) {
      sums.parameters[read.reading.component] += one * Rational(group.tensors - modules);
    }
  }
  if (sums.by_format.size() != 1) sums.uniform = false;
  return sums;
}

model::Inventory list_tensors(provenance::Graph& graph, const std::vector<ReadGroup>& groups,
                              const HeaderReading& how) {
  Listing listing(graph, how);
  for (const ReadGroup& read : groups) {
    if (read.reading.role != StoredRole::parameter) continue;
    const std::uint64_t modules = predicting(read, how);
    listing.add(read, read.group->tensors - modules, false);
    listing.add(read, modules, true);
  }
  listing.finish();
  return listing.take();
}

void set_stored_parts(provenance::Graph& graph, const HeaderSums& sums, const std::string& where,
                      const Rational& padding, model::Model& model) {
  std::vector<provenance::Figure<units::Bytes>> parts;
  const auto add = [&](const std::string& format, const Rational& bytes, const std::string& what) {
    const auto figure = graph.given<units::Bytes>("stored in " + format, bytes, {where, what});
    parts.push_back(figure);
    model.stored_parts.push_back({format, figure.id()});
  };
  for (const auto& [format, sum] : sums.by_format) {
    add(format, sum.bytes,
        "sum over " + std::to_string(sum.tensors) + (sum.tensors == 1 ? " tensor" : " tensors"));
  }
  if (padding.sign() > 0) add("padding", padding, "between tensors and behind the last");
  model.stated_checkpoint_bytes = graph.sum("weight payload", parts).id();
}

void set_native_format(provenance::Graph& graph, const std::vector<ReadGroup>& groups,
                       const HeaderSums& sums, const HeaderReading& how, const std::string& where,
                       model::Model& model) {
  // Weights by format, each once.
  std::map<std::string, std::pair<const catalog::StorageFormat*, Rational>> weights;
  bool packed = false;
  for (const ReadGroup& read : groups) {
    if (read.reading.role != StoredRole::parameter) continue;
    const StoredGroup& group = *read.group;
    packed = packed || !read.packing || *read.packing != Rational(1);
    const std::uint64_t copies = read.reading.copy ? predicting(read, how) : 0;
    auto& [format, elements] = weights[group.format->name];
    format = group.format;
    elements += Rational(group.elements()) * Rational(group.tensors - copies);
  }
  if (weights.size() == 1 && !packed) {
    model.native_format = weights.begin()->first;
    model.native_format_where = where;
    model.uniform = sums.uniform;
    return;
  }
  std::string names;
  std::vector<provenance::Figure<units::Bytes>> parts;
  for (const auto& [name, row] : weights) {
    names += (names.empty() ? "" : ", ") + name;
    if (packed || !row.first->bits) continue;
    const auto elements = graph.given<units::Count>("weights in " + name, row.second,
                                                    {where, "shapes of the tensors in " + name});
    parts.push_back(graph.derived<units::Bytes>(
        "floor of " + name, "weights × " + row.first->bits->to_string() + " bits ÷ 8",
        row.first->source + ", " + row.first->locator, {elements.id()},
        row.second * *row.first->bits / Rational(8)));
  }
  model.native_format_unknown =
      "its weights are stored in " + names + (packed ? ", several of them in one element" : "");
  if (!packed) model.floor_by_format = graph.sum("weight floor", parts).id();
}

}  // namespace ullage::import
