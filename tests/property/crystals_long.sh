#!/usr/bin/env bash
# Ten thousand random crystals under energy-momentum: none creates energy in any step.
set -euo pipefail
exec "$BUILD/tests/property/crystals" 10000
