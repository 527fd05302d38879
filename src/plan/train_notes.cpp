// Checks of degrees against layers, heads and experts, and of flags against each other.
#include "plan/train_notes.hpp"

#include <algorithm>

namespace ullage::plan {
namespace {

using base::Severity;
using engine::Accounting;
using exact::Rational;
using model::Extent;
using model::LayerKinds;

bool more_than_one(const Extent& degree) {
  return degree.value > Rational(1);
}

bool is_megatron(const TrainSetup& setup) {
  return setup.rules->accounting == Accounting::megatron_lm ||
         setup.rules->accounting == Accounting::megatron_bridge;
}

void note(TrainSetup& setup, const char* code, Severity level, std::string text) {
  setup.notes.push_back({code, level, std::move(text)});
}

void note_division(TrainSetup& setup, const char* code, const std::string& what,
                   const Rational& number, const Extent& by) {
  if ((number / by.value).is_whole()) return;
  note(setup, code, Severity::note,
       what + " " + number.to_string() + " does not divide by " + by.name + " " +
           by.value.to_string() + ": answered as if it did");
}

base::Result<void> check_stages(const TrainRequest& request, const LayerKinds& kinds,
                                const std::string& model, TrainSetup& setup) {
  const Extent& stages = setup.ranks.pipeline;
  if (request.pp && stages.value > kinds.layers.value) {
    return train_usage(request.pp->where + ": more stages than the " +
                           kinds.layers.value.to_string() + " layers of " + base::printable(model),
                       "at most one stage a layer");
  }
  note_division(setup, "layout-not-divisible", "layers:", kinds.layers.value, stages);
  return {};
}

base::Result<void> check_experts(const TrainRequest& request, const LayerKinds& kinds,
                                 TrainSetup& setup) {
  const auto routed = std::find_if(kinds.mlps.begin(), kinds.mlps.end(),
                                   [](const auto& mlp) { return mlp.experts.has_value(); });
  if (routed == kinds.mlps.end()) {
    std::string flags;
    const auto add = [&](bool given, const char* flag) {
      if (given) flags += (flags.empty() ? "" : ", ") + std::string(flag);
    };
    add(more_than_one(setup.ranks.expert), "--ep");
    add(more_than_one(setup.ranks.expert_tensor), "--expert-tensor-parallel");
    add(request.expert_imbalance.has_value(), "--expert-imbalance");
    if (!flags.empty()) {
      note(setup, "no-experts", Severity::warning,
           flags + ": without effect, the model has no routed experts");
    }
    return {};
  }
  const Rational& experts = routed->experts->value;
  if (request.ep && setup.ranks.expert.value > experts) {
    return train_usage(
        request.ep->where + ": more ranks than the " + experts.to_string() + " routed experts",
        "--expert-tensor-parallel shares the matrices of one expert over several ranks");
  }
  note_division(setup, "layout-not-divisible", "experts:", experts, setup.ranks.expert);
  if (request.expert_imbalance && request.expert_imbalance->value > experts) {
    return train_usage(request.expert_imbalance->where + ": no expert has more than all tokens, " +
                           experts.to_string() + " × the mean",
                       "a number from 1 to " + experts.to_string());
  }
  return {};
}

void note_heads(const LayerKinds& kinds, TrainSetup& setup) {
  for (const model::MixerLayers& mixer : kinds.mixers) {
    if (!mixer.heads || mixer.prediction) continue;
    note_division(setup, "tensor-parallel-uneven", "heads:", mixer.heads->value,
                  setup.ranks.tensor);
    if (mixer.kv_heads && mixer.kv_heads->value < setup.ranks.tensor.value) {
      note(setup, "kv-heads-replicated", Severity::note,
           "tp exceeds the KV heads: each rank holds one whole head of them");
    }
    return;
  }
}

// What a report of the Megatron family prices otherwise than the tensors say.
void note_reports(const LayerKinds& kinds, TrainSetup& setup) {
  const auto has = [&](auto wanted) {
    return std::any_of(kinds.mixers.begin(), kinds.mixers.end(),
                       [&](const auto& mixer) { return wanted(mixer.mixing); });
  };
  const bool latent = has([](model::Mixing mixing) { return mixing == model::Mixing::latent; });
  if (latent && setup.rules->accounting == Accounting::megatron_bridge) {
    note(
        setup, "rules", Severity::warning,
        "Megatron-Bridge's estimator prices latent attention as ordinary attention of kv_channels; "
        "here its real matrices are counted");
  }
  if (is_megatron(setup) && has([](model::Mixing mixing) {
        return mixing == model::Mixing::delta_rule || mixing == model::Mixing::linear;
      })) {
    note(setup, "rules", Severity::warning,
         "the report prices linear attention as ordinary attention; here its real matrices are "
         "counted");
  }
}

void note_length(const model::Model& model, TrainSetup& setup) {
  if (!model.inventory || !model.inventory->trained_length) return;
  const Extent& trained = *model.inventory->trained_length;
  if (setup.batch.sequence.value <= trained.value) return;
  note(setup, "context-beyond-trained", Severity::note,
       "a sequence of " + setup.batch.sequence.value.to_string() +
           " tokens is more than the model's " + trained.name + " of " + trained.value.to_string());
}

}  // namespace

base::Result<void> check_layout(const TrainRequest& request, const model::Model& model,
                                provenance::Graph& graph, TrainSetup& setup) {
  const Rational tokens = memory::tokens_of(setup.batch, setup.ranks).value();
  if (setup.choice.chunks && setup.choice.chunks->value > tokens) {
    return train_usage(request.loss_chunks->where + ": more chunks than the " +
                           tokens.to_significant(6) + " tokens of a microbatch on a rank",
                       "--loss chunked:8");
  }
  if (!model.inventory) return {};
  note_length(model, setup);
  const auto kinds = model::layer_kinds(graph, *model.inventory, model.name);
  if (!kinds) return {};
  ULLAGE_CHECK(check_stages(request, *kinds, model.name, setup));
  note_heads(*kinds, setup);
  note_reports(*kinds, setup);
  return check_experts(request, *kinds, setup);
}

void note_ignored(const TrainRequest& request, TrainSetup& setup) {
  const auto ignored = [&](bool given, const std::string& flag, const std::string& why) {
    if (given) note(setup, "no-effect", Severity::note, flag + ": without effect, " + why);
  };
  const bool pipeline = more_than_one(setup.ranks.pipeline);
  ignored(request.virtual_stages && !pipeline, "--virtual-pipeline", "there is one stage");
  ignored(request.schedule == memory::Schedule::gpipe && !pipeline, "--pipeline-schedule",
          "there is one stage");
  const int zero = setup.sharding.zero;
  const Rational shared = setup.ranks.data.value * setup.ranks.context.value;
  ignored(zero > 0 && request.zero && shared == Rational(1),
          request.zero ? request.zero->where : "",
          "one data parallel rank shares with none; --dp N or --devices N says how many there are");
  ignored(request.dp_shard && zero == 0, "--dp-shard", "nothing is sharded without --zero");
  const bool buckets = request.reduce_bucket || request.allgather_bucket || request.prefetch_bucket;
  ignored(buckets && zero == 0, "a bucket size", "nothing is sharded without --zero");
  ignored(request.allgather_bucket && zero == 3, "--allgather-bucket-size",
          "ZeRO 3 gathers by --prefetch-bucket-size");
  ignored(request.prefetch_bucket && zero > 0 && zero < 3, "--prefetch-bucket-size",
          "nothing is fetched ahead below ZeRO 3");
  const bool estimated = setup.rules->accounting == Accounting::deepspeed && zero >= 2;
  ignored(!request.zero_init && !(estimated && zero == 3), "--zero-init",
          "only DeepSpeed's ZeRO-3 estimator asks for it");
  ignored(request.largest_layer && !(estimated && zero == 3), "--largest-layer",
          "only DeepSpeed's ZeRO-3 estimator asks for it");
  if (!is_megatron(setup)) return;
  const std::string report = "the report has one activation figure of its own";
  ignored(request.kernels.has_value(), "--kernels", report);
  ignored(request.loss.has_value(), "--loss", report);
  ignored(request.attention == memory::AttentionKernel::unfused, "--attention unfused", report);
  ignored(request.schedule == memory::Schedule::gpipe && pipeline, "--pipeline-schedule", report);
  ignored(request.expert_imbalance.has_value(), "--expert-imbalance", report);
  ignored(request.recompute == memory::Recompute::full ||
              request.recompute == memory::Recompute::op_selective,
          "--recompute", "the report knows selective recompute only");
}

}  // namespace ullage::plan
