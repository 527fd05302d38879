// Words of --help: summaries and examples, kept apart from the registration of flags.
#pragma once

#include <string_view>

namespace ullage::cli {

inline constexpr std::string_view kSummary =
    "ullage: exact accelerator capacity planning, with the source of every number";

inline constexpr std::string_view kModelHelp =
    "a card id or Hugging Face id (llama-3.1-70b, Qwen/Qwen3-8B), a literal (70B, 320B:18B), a "
    "path to a config.json or its folder, to a .safetensors, a .gguf or a card's .yaml, or - for a "
    "config on standard input";

inline constexpr std::string_view kImportModelHelp =
    "a path to a config.json, a folder, a .safetensors or a .gguf, or - for a config on standard "
    "input";

inline constexpr std::string_view kImportExamples =
    "Examples:\n"
    "  ullage import ./my-model > my-model.yaml\n"
    "  ullage import model.gguf --vendor \"Example Ltd\" --url https://example.org/model\n"
    "  ullage lint my-model.yaml && ullage fit my-model.yaml --on trainium2\n\n"
    "Each figure cites its file, the key or entry in it and the SHA-256 of what was read: the "
    "whole\nof a configuration or an index, of a checkpoint the header without the tensors.";

inline constexpr std::string_view kExamples =
    "Examples:\n"
    "  ullage fit glm-5.3-flash --on trainium2\n"
    "  ullage fit 320B:18B --on trainium2,h100-sxm --bits 8 --explain\n"
    "  ullage weights ./my-model\n"
    "  ullage show trainium2\n"
    "  ullage compare trainium2 h100-sxm\n"
    "  ullage list hardware\n\n"
    "Exit status: 0 answered (and it fits, where a verdict was asked for), 1 it does not fit,\n"
    "2 the question is wrong, 3 the answer is unknown, 70 a fault in the program.";

inline constexpr std::string_view kFitExamples =
    "Examples:\n"
    "  ullage fit glm-5.3-flash --on trainium2\n"
    "  ullage fit 320B:18B --on trainium2 --bits 8 --working-memory 32GB --reserve 15%\n"
    "  ullage fit llama-3.1-70b --on h100-sxm,mi300x --devices 4\n"
    "  ullage fit Qwen/Qwen3-32B --on trn2.48xlarge --weights fp8\n"
    "  ullage fit ./my-model --on all -o json\n\n"
    "Without --devices the answer is the lower bound on devices (exit 0). With it the verdict is\n"
    "fits (exit 0) or does-not-fit (exit 1); a needed figure that nobody publishes is exit 3.\n"
    "With several devices the exit status is 0 if any of them fits, else 3 if any is unknown, else "
    "1.";

inline constexpr std::string_view kWeightsExamples =
    "Examples:\n"
    "  ullage weights llama-3.1-70b\n"
    "  ullage weights ./my-model --weights fp8\n"
    "  ullage weights deepseek-ai/DeepSeek-V3 --tp 8 --pp 2 --ep 8\n"
    "  ullage weights Qwen/Qwen3-30B-A3B -o json\n"
    "  curl -s https://…/config.json | ullage weights -";

inline constexpr std::string_view kKvExamples =
    "Examples:\n"
    "  ullage kv llama-3.1-70b --context 128k --concurrency 8 --tp 8\n"
    "  ullage kv Qwen/Qwen3-8B --engine vllm@0.19 --kv-dtype fp8 --kv-memory 40GiB --context 32k\n"
    "  ullage kv ./my-model --engine llamacpp --kv-dtype q8_0 --context 16k --ubatch 512\n"
    "  ullage kv llama-3.1-8b --engine vllm --capacity 23.58GiB --utilization 0.9 \\\n"
    "      --overhead activations=2GiB --context 20000\n"
    "  ullage kv llama-3.1-8b --engine vllm@0.19 --draft ./eagle3 --speculative-tokens 3 --context "
    "8k\n"
    "  ullage kv llama-3.1-70b --role prefill --tp 4 --context 32k\n\n"
    "--kv-memory, or --capacity less what else it holds, asks the other way: how many tokens,\n"
    "sequences and which context a memory holds.";
inline constexpr std::string_view kTrainExamples =
    "Examples:\n"
    "  ullage train llama-3.1-8b\n"
    "  ullage train llama-3.1-8b --zero 3 --on h100-sxm --devices 8 --recompute full\n"
    "  ullage train 70B --zero 1 --dp 64 --tp 8 --explain\n"
    "  ullage train llama-3.1-70b --rules megatron-lm --tp 8 --pp 4 --dp 2 --zero 1 \\\n"
    "      --sequence-parallel --recompute selective\n"
    "  ullage train llama-3.1-8b --lora-rank 16 --lora-targets q_proj,v_proj --base-weights "
    "nf4-dq\n\n"
    "Activations and logits are two figures each, a floor and an upper one; totals likewise. With\n"
    "--on the verdict is fits (exit 0) where the upper total is within a device's budget,\n"
    "does-not-fit (exit 1) where the floor is not, and unknown (exit 3) between them.";

inline constexpr std::string_view kFlopsExamples =
    "Examples:\n"
    "  ullage flops llama-3.1-8b --sequence 8192 --causal yes\n"
    "  ullage flops llama-3.1-70b --recompute full --rules six-n\n"
    "  ullage flops llama-3.1-8b --on h100-sxm --devices 1024 --mfu 40% --tokens 15T\n"
    "  ullage flops llama-3.1-8b --sequence 8192 --on h100-sxm --measured 13812\n"
    "  ullage flops 70B --rules six-n\n\n"
    "Every convention is named: the causal mask, the head, prediction layers, recompute, and the\n"
    "peak, which is the dense one.";

inline constexpr std::string_view kLayoutsExamples =
    "Examples:\n"
    "  ullage layouts llama-3.1-70b --on p5.48xlarge --context 32k --concurrency 16\n"
    "  ullage layouts Qwen/Qwen3-235B-A22B --on h200-sxm --devices 8 --context 128k --engine vllm\n"
    "  ullage layouts llama-3.1-405b --on trn2.48xlarge --engine neuronx --context 8k -o csv\n\n"
    "Given degrees (--tp 8) are kept; the others are every split of the devices. Notes say why\n"
    "splits are refused.";

inline constexpr std::string_view kCheckExamples =
    "Examples:\n"
    "  ullage check deploy/\n"
    "  ullage check deployment.yaml claims.yaml --on trainium2\n"
    "  helm template ./chart | ullage check -\n"
    "  ullage check compose.yaml --set MODEL_ID=Qwen/Qwen3-8B --on l40s\n"
    "  ullage check plans/ -o sarif --output-file plans.sarif\n\n"
    "Exit status: 0 every plan fits, 1 one does not or a rule of level error speaks, 2 a file "
    "cannot "
    "be read,\n"
    "3 a plan is inconclusive (--allow-inconclusive: 0). `ullage rules` lists the rules.";

inline constexpr std::string_view kLockExamples =
    "Examples:\n"
    "  ullage lock deploy/                       writes ullage.lock\n"
    "  ullage check deploy/ --locked             fails where a locked figure changed\n"
    "  ullage lock deploy/ -o json               prints it instead";

inline constexpr std::string_view kRulesExamples =
    "Examples:\n"
    "  ullage rules\n"
    "  ullage rules kv-single-sequence\n"
    "  ullage rules -o json";

inline constexpr std::string_view kCompareExamples =
    "Examples:\n"
    "  ullage compare trainium1 trainium2\n"
    "  ullage compare h100-sxm mi300x trainium2 --precision bf16,fp8\n"
    "  ullage compare trn2.48xlarge aws-p5.48xlarge --per chip\n"
    "  ullage compare trainium2@2024-12-03 trainium2 --interval\n"
    "  ullage compare trainium2 h100-sxm --price 1.5,3 --measured 900,1400\n\n"
    "Ratios are against the first device. A rate that a device lacks is unpublished or "
    "unsupported,\n"
    "never that of another precision.";

inline constexpr std::string_view kShowExamples =
    "Examples:\n"
    "  ullage show trainium2\n"
    "  ullage show h100-sxm -o json\n"
    "  ullage show glm-5.3-flash\n"
    "  ullage show trainium2@2024-12-03\n"
    "  ullage show trainium2 --raw\n"
    "  ullage show trainium2 --cite bibtex";

inline constexpr std::string_view kListExamples =
    "Examples:\n"
    "  ullage list hardware\n"
    "  ullage list hardware --kind chip --memory-at-least 96GiB --precision fp8\n"
    "  ullage list hardware --vendor aws --columns id,dense_bf16,memory_bandwidth,tdp\n"
    "  ullage list partitions --of h100-sxm\n"
    "  ullage list models --family llama -o json\n"
    "  ullage list models --attention mla --experts yes --columns id,parameters,experts\n"
    "  ullage list models --fits-on trainium2 --devices 16 --context-at-least 128k\n"
    "  ullage list sources";

inline constexpr std::string_view kSourcesExamples =
    "Examples:\n"
    "  ullage sources\n"
    "  ullage sources neuron-trainium2\n"
    "  ullage sources neuron-trainium2 --cite bibtex";

inline constexpr std::string_view kDiffExamples =
    "Examples:\n"
    "  ullage diff trainium2@2024-12-03 trainium2\n"
    "  ullage diff h100-sxm h200-sxm -o json";

inline constexpr std::string_view kLintExamples =
    "Examples:\n"
    "  ullage lint\n"
    "  ullage lint data --max-age 180\n"
    "  ullage lint my-devices/chip.yaml my-devices/sources.yaml -o github\n"
    "  ullage lint --rules\n\n"
    "Exit status: 0 no fault, 1 a fault at the level of --fail-on or above, 2 a file that cannot\n"
    "be read.";

inline constexpr std::string_view kBatchExamples =
    "Examples:\n"
    "  ullage batch scenarios.jsonl > rows.jsonl\n"
    "  ullage batch scenarios.csv.zst --columns model,on,context,devices_min --output-file "
    "rows.csv\n"
    "  ullage batch --matrix model=llama-3.1-8b,llama-3.1-70b --matrix on=all --matrix context=8k,"
    "32k\n"
    "  ullage batch --matrix model=all --matrix on=h100-sxm,trainium2 --matrix devices=8 \\\n"
    "      --where 'verdict == fits' --top 10 --by headroom_per_device:desc\n"
    "  ullage batch scenarios.csv --explain-line 17\n\n"
    "A line holds the flags of `fit` (or of the command that its key `command` names: kv, train,\n"
    "flops, weights) under their names without dashes. Other keys pass through. A line that "
    "cannot\n"
    "be answered gives a row with `error`; the status is then 2, or 3 where only answers are "
    "unknown.";

inline constexpr std::string_view kCompletionExamples =
    "Examples:\n"
    "  source <(ullage completion bash)                 in ~/.bashrc\n"
    "  source <(ullage completion zsh)                  in ~/.zshrc, after compinit\n"
    "  ullage completion fish > ~/.config/fish/completions/ullage.fish";

inline constexpr std::string_view kHelpExamples =
    "Examples:\n"
    "  ullage help fit\n"
    "  ullage help units\n"
    "  ullage help checklist";

}  // namespace ullage::cli
