// The table itself.
#include "catalog/figure_names.hpp"

#include <algorithm>
#include <deque>
#include <string>

namespace ullage::catalog {
namespace {

using units::Kind;
using units::Scope;

// Rates come in families: one row per precision and form, generated so that none is forgotten.
void add_rates(std::vector<FigureName>& rows, std::deque<std::string>& storage) {
  for (const bool sparse : {false, true}) {
    for (const bool per_core : {false, true}) {
      for (const std::string_view precision : precisions()) {
        const bool integer = precision.starts_with("int");
        std::string& name = storage.emplace_back(sparse ? "sparse_" : "dense_");
        name += precision;
        if (per_core) name += "_per_core";
        rows.push_back(
            {.name = name,
             .dimension = integer ? units::kOpRate : units::kFlopRate,
             .kind = sparse ? Kind::sparse : Kind::dense,
             .scope = per_core ? Scope::core : Scope::chip,
             .directed = false,
             .aggregate = !per_core,
             .help = sparse ? "peak rate with structured sparsity" : "peak rate without sparsity"});
      }
    }
  }
}

std::vector<FigureName> make_hardware_names() {
  // The names of generated rows live as long as the program.
  static std::deque<std::string> storage;
  using units::kByteRate;
  using units::kBytes;
  using units::kNumber;
  const auto count = [](std::string_view name, std::string_view help, bool aggregate = false) {
    return FigureName{.name = name, .dimension = kNumber, .aggregate = aggregate, .help = help};
  };
  const auto link = [](std::string_view name, Scope scope, std::string_view help) {
    return FigureName{.name = name,
                      .dimension = kByteRate,
                      .kind = Kind::scale_up,
                      .scope = scope,
                      .directed = true,
                      .help = help};
  };
  std::vector<FigureName> rows{
      count("chips", "chips in an instance or system"),
      count("instances", "instances in a system"),
      count("servers", "servers in a system"),
      {.name = "memory_capacity",
       .dimension = kBytes,
       .kind = Kind::nominal,
       .aggregate = true,
       .help = "device memory as the vendor prints it"},
      {.name = "memory_capacity_visible",
       .dimension = kBytes,
       .kind = Kind::visible,
       .aggregate = true,
       .help = "device memory as the driver reports it"},
      {.name = "memory_per_chip",
       .dimension = kBytes,
       .kind = Kind::nominal,
       .help = "device memory of one chip as a cloud's API prints it"},
      {.name = "memory_bandwidth",
       .dimension = kByteRate,
       .kind = Kind::memory,
       .aggregate = true,
       .help = "device memory bandwidth"},
      {.name = "memory_bandwidth_per_core",
       .dimension = kByteRate,
       .kind = Kind::memory,
       .scope = Scope::core,
       .help = "device memory bandwidth of one core"},
      count("hbm_stacks", "memory stacks", true),
      {.name = "memory_per_core",
       .dimension = kBytes,
       .scope = Scope::core,
       .help = "memory nearest to one physical core"},
      {.name = "memory_per_logical_core",
       .dimension = kBytes,
       .scope = Scope::logical_core,
       .help = "memory bank of one logical core at the default LNC"},
      count("cores", "physical cores", true),
      count("logical_cores", "cores that software sees at the default LNC", true),
  };
  add_rates(rows, storage);
  const std::vector<FigureName> rest{
      {.name = "pod_dense_bf16",
       .dimension = units::kFlopRate,
       .kind = Kind::dense,
       .scope = Scope::system,
       .help = "BF16 rate that the vendor prints for a whole pod"},
      {.name = "pod_dense_int8",
       .dimension = units::kOpRate,
       .kind = Kind::dense,
       .scope = Scope::system,
       .help = "INT8 rate that the vendor prints for a whole pod"},
      link("scale_up_bandwidth", Scope::chip, "link between chips of one domain, per chip"),
      link("scale_up_bandwidth_one_way", Scope::chip, "the same, one direction"),
      link("scale_up_bandwidth_per_link", Scope::link, "one such link"),
      link("scale_up_bandwidth_inter", Scope::chip, "links between instances of one system"),
      link("scale_up_bandwidth_per_chip", Scope::chip, "links of one chip, in a machine's entry"),
      link("scale_up_bandwidth_one_way_per_chip", Scope::chip, "the same, one direction"),
      link("scale_up_bandwidth_all_reduce", Scope::chip, "all-reduce over a whole system"),
      link("scale_up_bandwidth_bisection", Scope::chip, "bisection of a whole system"),
      count("scale_up_links", "such links of one chip"),
      count("scale_up_links_per_chip", "such links of one chip, in a machine's entry"),
      count("scale_up_ports", "such ports of one chip"),
      {.name = "scale_out_bandwidth",
       .dimension = kByteRate,
       .kind = Kind::scale_out,
       .help = "network between machines"},
      {.name = "network_bandwidth",
       .dimension = kByteRate,
       .kind = Kind::scale_out,
       .help = "front-end network of a machine, apart from its scale-out network"},
      count("efa_interfaces", "EFA network interfaces"),
      {.name = "host_bandwidth",
       .dimension = kByteRate,
       .kind = Kind::host,
       .help = "attachment of a chip to its host"},
      {.name = "dma_bandwidth",
       .dimension = kByteRate,
       .kind = Kind::dma,
       .help = "what the DMA engines move"},
      count("dma_engines", "DMA engines"),
      count("cc_cores", "collective-communication cores"),
      {.name = "sram", .dimension = kBytes, .help = "on-chip SRAM"},
      {.name = "sram_per_core",
       .dimension = kBytes,
       .scope = Scope::core,
       .help = "on-chip SRAM of one core"},
      {.name = "psum_per_core",
       .dimension = kBytes,
       .scope = Scope::core,
       .help = "accumulation buffer of one core"},
      {.name = "firmware_carveout",
       .dimension = kBytes,
       .scope = Scope::stack,
       .help = "device memory that firmware keeps, per stack"},
      {.name = "microcode_per_core",
       .dimension = kBytes,
       .scope = Scope::core,
       .help = "device memory that the runtime's micro-code keeps, per core"},
      count("memory_pool_chips", "chips whose memory one program can address"),
      count("multiprocessors", "streaming multiprocessors"),
      count("mig_max_instances", "partitions of one GPU"),
      count("partitions_per_chip", "partitions of this kind that one chip takes at once"),
      count("pod_chips", "chips in the largest pod"),
      count("host_chips", "chips on one host"),
      {.name = "host_memory", .dimension = kBytes, .help = "memory of the host"},
      {.name = "host_memory_per_node",
       .dimension = kBytes,
       .help = "memory of one host of a system that has several"},
      {.name = "fast_memory",
       .dimension = kBytes,
       .help = "device and host memory that the vendor counts together"},
      count("vcpus", "virtual CPUs of the host"),
      {.name = "local_storage", .dimension = kBytes, .help = "local disks of the host"},
      {.name = "tdp",
       .dimension = units::kWatts,
       .aggregate = false,
       .help = "thermal design power or board power"},
  };
  rows.insert(rows.end(), rest.begin(), rest.end());
  return rows;
}

const FigureName* find_in(const std::vector<FigureName>& rows, std::string_view name) {
  const auto row =
      std::find_if(rows.begin(), rows.end(), [&](const FigureName& r) { return r.name == name; });
  return row == rows.end() ? nullptr : &*row;
}

}  // namespace

const std::vector<std::string_view>& precisions() {
  static const std::vector<std::string_view> names{
      "fp64",  "fp64_tensor", "fp64_matrix", "fp32", "fp32_matrix", "tf32",  "bf16", "fp16", "fp8",
      "mxfp8", "cfp8",        "fp6",         "fp4",  "mxfp4",       "nvfp4", "int8", "int4"};
  return names;
}

const std::vector<FigureName>& hardware_figure_names() {
  static const std::vector<FigureName> rows = make_hardware_names();
  return rows;
}

const std::vector<FigureName>& model_figure_names() {
  using units::kBytes;
  using units::kNumber;
  static const std::vector<FigureName> rows = [] {
    std::vector<FigureName> names{
        {.name = "parameters", .dimension = kNumber, .help = "parameters, each weight once"},
        {.name = "parameters_stored",
         .dimension = kNumber,
         .help = "parameters as the checkpoint stores them"},
        {.name = "active_parameters",
         .dimension = kNumber,
         .help = "parameters that one token passes through"},
        {.name = "checkpoint_bytes",
         .dimension = kBytes,
         .help = "bytes that the checkpoint stores"},
        {.name = "minimum_memory", .dimension = kBytes, .help = "memory that a recipe asks for"},
        {.name = "context_length", .dimension = units::kTokens, .help = "longest trained sequence"},
    };
    for (const std::string_view name :
         {"layers", "tensors", "shards", "experts", "experts_per_token", "hidden_size",
          "attention_heads", "kv_heads", "head_dim", "vocabulary_size", "mtp_layers"}) {
      names.push_back({.name = name, .dimension = kNumber, .help = "a number of the shape"});
    }
    for (FigureName& name : names)
      name.scope = units::Scope::none;
    return names;
  }();
  return rows;
}

const std::vector<FigureName>& software_figure_names() {
  using units::kBytes;
  using units::kNumber;
  static const std::vector<FigureName> rows = [] {
    std::vector<FigureName> names{
        {.name = "memory_utilization",
         .dimension = kNumber,
         .help = "share of device memory that the stack uses unless told otherwise"},
        {.name = "kv_memory_share",
         .dimension = kNumber,
         .help = "largest share of the used memory that the KV cache gets"},
        {.name = "kv_memory_minimum",
         .dimension = kBytes,
         .help = "least memory of the KV cache with which it starts"},
        {.name = "memory_per_rank",
         .dimension = kBytes,
         .scope = Scope::logical_core,
         .help = "memory of one tensor-parallel rank in the stack's own rule of fit"},
        {.name = "program_memory_limit",
         .dimension = kBytes,
         .scope = Scope::logical_core,
         .help = "largest memory that the tensors of one compiled program may take"},
        {.name = "scratchpad_page",
         .dimension = kBytes,
         .help = "page of the runtime's shared scratchpad unless told otherwise"},
        {.name = "scratchpad_maximum",
         .dimension = kBytes,
         .help = "largest page of that scratchpad"},
        {.name = "profiling_memory",
         .dimension = kBytes,
         .help = "device memory that profiling takes"},
        {.name = "block_size", .dimension = units::kTokens, .help = "tokens of a KV-cache block"},
    };
    for (FigureName& name : names) {
      if (name.scope == Scope::chip) name.scope = Scope::none;
    }
    return names;
  }();
  return rows;
}

const FigureName* find_hardware_figure(std::string_view name) {
  return find_in(hardware_figure_names(), name);
}
const FigureName* find_model_figure(std::string_view name) {
  return find_in(model_figure_names(), name);
}
const FigureName* find_software_figure(std::string_view name) {
  return find_in(software_figure_names(), name);
}

}  // namespace ullage::catalog
