#!/bin/sh
# vllm serve example-org/in-a-comment
set -eu
MODEL=example-org/example-chat-7b
REV="0fba2fa4f3c5734fbd506a88f3279ed6c096eab7"
vllm serve "$MODEL" --revision "$REV" --port 8000 &
CUDA_VISIBLE_DEVICES=0 python3 -m vllm.entrypoints.openai.api_server \
  --model example-org/continued \
  --revision=e32084e4e9d4ed7ec246cf6b4085c0aa05b8c3a6
python -m sglang.launch_server --model-path example-org/sglang-model --tp 2
exec text-generation-launcher --model-id example-org/tgi-model --revision main
llama-server -hf example-org/gguf-model:Q4_K_M -c 4096; llama-cli --hf-repo example-org/gguf-two
vllm serve /models/local
vllm serve $(cat model.txt)
vllm serve ${CHOSEN:-example-org/by-default}
cat <<EOF
vllm serve example-org/in-a-here-document
EOF
docker run --gpus all -p 8000:8000 vllm/vllm-openai:v0.12.0 --model example-org/in-docker --revision 0fba2fa4f3c5734fbd506a88f3279ed6c096eab7
docker run -e MODEL_ID=example-org/from-env -e REVISION=0fba2fa4f3c5734fbd506a88f3279ed6c096eab7 ghcr.io/huggingface/text-generation-inference:3.3
