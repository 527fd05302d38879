// What containers' images say: the program that they start, and its version.
#include "base/spelling.hpp"
#include "plan/files/launch.hpp"

namespace ullage::plan {
namespace {

Launch serving(const char* engine, Dialect dialect, const Word& what,
               const std::vector<Word>& arguments) {
  return {engine, "shell", Work::serve, dialect, what, arguments, {}};
}

bool is_digit(char letter) {
  return letter >= '0' && letter <= '9';
}

// `v0.9.1`, `0.4.6.post1-cu124`: two numbers at least, the first below a hundred; dates and names
// of builds are none.
std::string release_of(std::string_view tag) {
  if (tag.starts_with('v')) tag.remove_prefix(1);
  std::size_t at = 0;
  std::size_t dots = 0;
  while (at < tag.size() && (is_digit(tag[at]) || (tag[at] == '.' && at > 0))) {
    if (tag[at] == '.') ++dots;
    ++at;
  }
  while (at > 0 && tag[at - 1] == '.') {
    --at;
    --dots;
  }
  const std::size_t first = std::min(tag.find('.'), tag.size());
  return dots == 0 || first > 2 ? std::string() : std::string(tag.substr(0, at));
}

}  // namespace

std::optional<Launch> launch_of_image(std::string_view image, const std::vector<Word>& arguments) {
  const std::string name = base::lower(image);
  const auto has = [&name](std::string_view part) { return name.find(part) != std::string::npos; };
  const Word what{std::string(image)};
  if (has("optimum-neuron") || has("neuronx-tgi")) {
    return serving("neuronx", Dialect::neuronx, what, arguments);
  }
  if (has("router") || has("proxy") || has("gateway") || has("sidecar")) return std::nullopt;
  if (has("vllm") || has("llm-d-cuda") || has("llm-d:") || has("huggingfaceserver")) {
    return serving("vllm", Dialect::vllm, what, arguments);
  }
  if (has("sglang")) return serving("sglang", Dialect::sglang, what, arguments);
  if (has("text-generation-inference")) return serving("tgi", Dialect::tgi, what, arguments);
  if (has("llama.cpp") || has("llama-cpp")) {
    return serving("llamacpp", Dialect::llamacpp, what, arguments);
  }
  if (has("tensorrt-llm") || has("trtllm") || has("tensorrtllm")) {
    return serving("trtllm", Dialect::trtllm, what, arguments);
  }
  return std::nullopt;
}

std::optional<std::string> version_of_image(std::string_view image, std::string_view engine) {
  const std::size_t colon = image.rfind(':');
  if (colon == std::string_view::npos || image.find('/', colon) != std::string_view::npos) {
    return std::nullopt;
  }
  const std::string repository = base::lower(image.substr(0, colon));
  const std::string_view tag = image.substr(colon + 1, image.substr(colon + 1).find('@'));
  const auto is = [&](std::string_view of, std::string_view end) {
    return engine == of && repository.ends_with(end);
  };
  // Images of the engines' own projects are tagged with their releases; others count their own.
  const bool is_own = is("vllm", "vllm/vllm-openai") || is("vllm", "vllm/vllm-tpu") ||
                      is("vllm", "vllm/vllm-openai-rocm") || is("sglang", "lmsysorg/sglang") ||
                      is("trtllm", "nvidia/tensorrt-llm/release");
  const std::string release = is_own ? release_of(tag) : std::string();
  if (release.empty()) return std::nullopt;
  return release;
}

}  // namespace ullage::plan
