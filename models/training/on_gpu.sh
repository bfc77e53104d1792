#!/usr/bin/env bash
# Ten minutes of learning on a computer with a GPU: models/training/on_gpu.sh DATA RUN [MINUTES]
#
# DATA holds what the model card names: photos, real, designs, icons, engravings, fonts, and start.onnx.
# RUN is the folder of the run; the same command resumes it. All cores but one draw what is learnt from.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
data=$1 run=$2 minutes=${3:-8}
config=$(mktemp --suffix=.toml)
trap 'rm -f "$config"' EXIT
sed -e "s/^minutes = .*/minutes = $minutes/" -e "s/^batch = .*/batch = 256/" -e "s/^reuse = .*/reuse = 3/" \
    models/training/config/classifier.toml > "$config"
exec python3 -m models.training "$config" --run "$run" --start "$data/start.onnx" --photos "$data/photos" \
    --real "$data/real" --designs "$data/designs" --icons "$data/icons" --engravings "$data/engravings" \
    --fonts "$data/fonts" --device "${DEVICE:-cuda}" --workers "$(($(nproc) - 1))"
