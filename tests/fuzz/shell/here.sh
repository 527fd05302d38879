cat > f.yaml <<'EOF'
tp: 2
EOF
trtllm-serve m --extra_llm_api_options f.yaml &
for i in 1 2; do echo $i; done
