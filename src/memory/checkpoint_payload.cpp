// Chooses the form in which a model is stored, and sums the bytes of its groups.
#include "memory/checkpoint_payload.hpp"

#include <algorithm>

#include "memory/file_mix.hpp"
#include "memory/tensor_bytes.hpp"
#include "model/storage_plan.hpp"

namespace ullage::memory {
namespace {

using catalog::StorageFormat;
using exact::Rational;
using model::Inventory;
using model::Model;
using model::StoragePlan;
using model::TensorGroup;
using provenance::Figure;
using units::Bytes;

Rational product(const std::vector<model::Extent>& extents) {
  Rational value = 1;
  for (const model::Extent& extent : extents)
    value *= extent.value;
  return value;
}

std::string by_rule(const Inventory& inventory, const std::string& format,
                    const catalog::Convention& convention) {
  const std::string kept = model::describe_kept(inventory, format);
  if (kept.empty()) return {};
  return "not in " + format + ": " + kept + "; " + convention.note + " (" + convention.source +
         ", " + convention.locator + ")";
}

// As the family's published checkpoints are: what it keeps, and the rest in their format.
Inventory as_published(provenance::Graph& graph, const Model& model, const StorageFormat& format) {
  return model::store(graph, *model.inventory, "", [&](const TensorGroup& group, std::int64_t) {
    return group.kept.empty() ? format.name : group.kept;
  });
}

// Re-quantised by the convention of the format.
StoredForm by_convention(provenance::Graph& graph, const Model& model, const StorageFormat& format,
                         const catalog::Convention& convention) {
  StoragePlan plan;
  plan.assignments.push_back({{}, format.name});
  plan.convention = convention;
  plan.kept_in = model.plain_format;
  plan.family_first = false;
  plan.where = "the convention of " + format.name;
  StoredForm form{model::store(graph, *model.inventory, plan), {}, {}};
  form.note = by_rule(form.inventory, format.name, convention);
  return form;
}

// `fp16` and `float16` are one name.
void name_formats(Inventory& inventory, const catalog::StorageFormats& formats) {
  for (TensorGroup& group : inventory.tensors) {
    if (const auto found = formats.find(group.kept)) group.kept = (*found)->name;
  }
}

std::string formula(const TensorGroup& group, const std::vector<Rational>& shape) {
  std::string text = product(group.repeat).to_string() + " × the bytes of ";
  for (std::size_t i = 0; i < shape.size(); ++i)
    text += (i == 0 ? "" : " × ") + shape[i].to_string();
  text += " in " + group.kept;
  if (!group.beside.is_zero()) text += " and " + group.beside.to_string() + " B beside each";
  return text;
}

}  // namespace

base::Result<std::optional<StoredForm>> stored_form(provenance::Graph& graph, const Model& model,
                                                    const StorageFormat& format, bool is_native,
                                                    catalog::Catalogue& catalogue,
                                                    std::string& unknown) {
  const catalog::StorageFormats& formats = catalogue.formats();
  std::optional<StoredForm> form;
  if (is_native) {
    model::StoredAs stored;
    if (model.stored_as) {
      ULLAGE_TRY(stored, model.stored_as());
    }
    if (stored.plan != nullptr) {
      form = StoredForm{model::store(graph, *model.inventory, *stored.plan),
                        {},
                        model::unmatched_modules(*stored.plan)};
    } else if (model.inventory->formats_known && stored.unknown.empty()) {
      form = StoredForm{as_published(graph, model, format), {}, {}};
    } else {
      unknown = stored.unknown;
      if (unknown.empty()) {
        unknown = "which tensors a checkpoint in " + format.name +
                  " keeps in another format, and its scales, are not stated";
      }
      return form;
    }
    name_formats(form->inventory, formats);
    const std::string kept = model::describe_kept(form->inventory, format.name);
    if (!kept.empty()) {
      form->note = "not in " + format.name + ": " + kept +
                   (stored.plan != nullptr ? " (" + model.native_format_where + ")" : "");
    }
    return form;
  }
  if (format.file) {
    ULLAGE_TRY(auto inventory, store_as_file(graph, model, format, formats, unknown));
    if (!inventory) return form;
    form = StoredForm{std::move(*inventory), {}, {}};
    form->note =
        by_rule(form->inventory, format.file->base, *formats.rules().convention("llama.cpp"));
    return form;
  }
  const catalog::Convention* convention = formats.rules().convention(format.convention);
  if (convention == nullptr) {
    unknown = "which tensors a checkpoint in " + format.name +
              " keeps in another format, and its scales, are not stated";
    return form;
  }
  form = by_convention(graph, model, format, *convention);
  name_formats(form->inventory, formats);
  form->note = by_rule(form->inventory, format.name, *convention);
  return form;
}

base::Result<std::optional<Figure<Bytes>>> checkpoint_payload(provenance::Graph& graph,
                                                              const Inventory& stored,
                                                              const std::string& kept_dtype,
                                                              catalog::Catalogue& catalogue,
                                                              std::string& unknown) {
  std::vector<Figure<Bytes>> parts;
  for (const TensorGroup& group : stored.tensors) {
    if (!group.stored) continue;
    ULLAGE_TRY(const StorageFormat* format, catalogue.formats().find(group.kept));
    std::vector<Rational> shape;
    std::vector<provenance::FigureId> inputs;
    for (const model::Extent& extent : group.repeat)
      inputs.push_back(extent.figure);
    for (const model::Axis& axis : group.shape) {
      shape.push_back(product(axis));
      for (const model::Extent& extent : axis)
        inputs.push_back(extent.figure);
    }
    const auto bytes = tensor_bytes(*format, shape, kept_dtype);
    if (!bytes) {
      unknown = "how a tensor of the shape of " + group.name + " is stored in " + format->name +
                " is not stated";
      return std::optional<Figure<Bytes>>();
    }
    parts.push_back(graph.derived<Bytes>(group.name + ", stored", formula(group, shape), {},
                                         std::move(inputs),
                                         (*bytes + group.beside) * product(group.repeat)));
  }
  return std::optional(graph.sum("weight payload", parts));
}

}  // namespace ullage::memory
