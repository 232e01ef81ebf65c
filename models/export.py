"""Turns trained nets into the weights that ship: `python -m models.export --faces runs/faces --finder runs/finder --photos PHOTOS`.

The face logits are divided by a temperature, fitted so that the chances are honest on pictures training never saw: the held-back
photographs of known rigs and freshly rendered tables. The averaged weights are taken, batch norms folded in, 32-bit.
"""

from __future__ import annotations

import argparse
import warnings
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn

from models.data import face_set, photo_examples, rendered_examples
from models.nets import FaceReader, Finder
from vision.faces import CROP_PX, LOOKS
from vision.faces import square as cut

HERE = Path(__file__).parent


class Tempered(nn.Module):
    """The face reader with its face logits divided by a temperature."""

    def __init__(self, net: FaceReader, temperature: float) -> None:
        super().__init__()
        self.net = net
        self.register_buffer("scale", torch.cat([torch.full((7,), 1 / temperature), torch.ones(12)]))

    def forward(self, crops: Tensor) -> Tensor:
        return self.net(crops) * self.scale


def averaged_net(net: nn.Module, run: Path) -> nn.Module:
    """The net with the run's averaged weights, ready to run."""
    net.load_state_dict(torch.load(run / "last.pt", weights_only=True)["average"])
    return net.eval()


def looked_logits(net: nn.Module, crops: np.ndarray) -> Tensor:
    """Stored crops (n, 112, 112, 3) -> (n, looks, 7) logits, looked at as the reader does."""
    from models.data import CROP_STORED, STORED_SPAN

    rows = [
        np.stack([cut(c, CROP_STORED / 2, CROP_STORED / 2, CROP_STORED * span / STORED_SPAN, CROP_PX, turn) for turn, span in LOOKS])
        for c in crops
    ]
    batch = torch.from_numpy(np.stack(rows)).permute(0, 1, 4, 2, 3).float()  # (n, looks, 3, 64, 64)
    with torch.no_grad():
        return torch.stack([net(b)[:, :7] for b in batch])


def fitted_temperature(logits: Tensor, faces: Tensor) -> float:
    """The temperature at which the averaged chances lose least, searched on a grid. faces (n,) 0-6."""
    grid = torch.linspace(0.5, 4, 71)
    losses = [-(logits / t).softmax(2).mean(1).clamp(min=1e-9)[torch.arange(len(faces)), faces].log().mean() for t in grid]
    return float(grid[int(torch.stack(losses).argmin())])


def temperature_of(net: nn.Module, photos: Path, renders: Path | None) -> float:
    examples = photo_examples(photos, held_back=True) + (rendered_examples(renders) if renders else [])
    stored = face_set(examples)
    known = stored.face > 0
    logits = looked_logits(net, stored.crops[known])
    faces = torch.from_numpy(stored.face[known] - 1)
    right = float((logits.softmax(2).mean(1).argmax(1) == faces).float().mean())
    temperature = fitted_temperature(logits, faces)
    print(f"held back: {int(known.sum())} crops, {100 * right:.2f} % right, temperature {temperature:.2f}")
    return max(temperature, 1.0)


def export(net: nn.Module, example: Tensor, target: Path, free: dict[int, str]) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        torch.onnx.export(
            net, (example,), str(target), input_names=["pictures"], output_names=["answers"],
            dynamic_axes={"pictures": free}, opset_version=17, dynamo=False,
        )  # fmt: skip
    print(f"{target}: {target.stat().st_size / 1e6:.2f} MB")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--faces", type=Path)
    parser.add_argument("--finder", type=Path)
    parser.add_argument("--photos", type=Path, required=True)
    parser.add_argument("--check", type=Path, help="folder of rendered tables that training never saw")
    parser.add_argument("--out", type=Path, default=HERE)
    args = parser.parse_args()
    torch.set_num_threads(2)
    if args.faces:
        net = averaged_net(FaceReader(), args.faces)
        tempered = Tempered(net, temperature_of(net, args.photos, args.check)).eval()
        export(tempered, torch.zeros(2, 3, CROP_PX, CROP_PX), args.out / "faces.onnx", {0: "n"})
    if args.finder:
        export(averaged_net(Finder(), args.finder), torch.zeros(1, 3, 480, 640), args.out / "finder.onnx", {2: "h", 3: "w"})


if __name__ == "__main__":
    main()
