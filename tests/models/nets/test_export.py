"""A file that ships runs as its network does, and a later run starts from it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnx
import pytest
import torch
from numpy.typing import NDArray
from onnx import numpy_helper
from torch import Tensor, nn

import datasets
from datasets.crops.crops import CROP_SIZE
from datasets.scenes.tables import hand_scene
from datasets.sets.faces import load_designs
from models.evaluation.matching import match
from models.nets.detector_targets import STRIDE
from models.nets.export import (
    IndexGraph,
    export_classifier,
    export_detector,
    export_indices,
    export_marks,
    export_verifier,
)
from models.nets.folding import fold
from models.nets.nets import (
    MARKS_SIZE,
    Answer,
    Classifier,
    Detector,
    IndexReader,
    MarksReader,
    Verifier,
)
from models.nets.registration import FOLDER, register
from models.nets.weights import load_weights, start_from
from scorer.tiles import BONUS_TILES, READING_LABELS
from vision.classify.bonus_marks import OnnxMarks
from vision.classify.classifier import OnnxClassifier
from vision.classify.crop_reader import CropReader
from vision.detect.network import decode
from vision.detect.search import OnnxDetector
from vision.detect.verifier import OnnxVerifier
from vision.geometry.crops import rectify, with_surroundings
from vision.runtime.session import load_model
from vision.vocabulary.labels import INDICES

pytestmark = pytest.mark.torch

Images = NDArray[np.uint8]
(SAMPLE,) = load_designs([Path(datasets.__file__).with_name("samples") / "0900.npz"])


def noise(seed: int, *shape: int) -> Images:
    """Any pictures."""
    return np.random.default_rng(seed).integers(0, 256, (*shape, 3), np.uint8)


def some_crops(size: tuple[int, int] = CROP_SIZE) -> Images:
    """The tiles of one drawn hand, some upside down."""
    scene = hand_scene(np.random.default_rng(4), SAMPLE, (1200, 1600))
    crops = rectify(scene.image, scene.quads, size)
    crops[::4] = crops[::4, ::-1, ::-1]
    return crops


def random_weights(net: nn.Module) -> dict[str, Tensor]:
    """Parameters as distinct from one another as those of a trained network."""
    with torch.no_grad():
        for name, value in net.state_dict().items():
            if value.dtype.is_floating_point:
                drawn = torch.rand_like(value) if "running_var" in name else torch.randn_like(value)
                value.add_(0.02 * drawn)
    weights: dict[str, Tensor] = net.eval().state_dict()
    return weights


@pytest.fixture(scope="module")
def shipped(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with all models, untrained, exported and registered."""
    folder = tmp_path_factory.mktemp("models")
    torch.manual_seed(1)
    pictures, crops = [noise(0, 1, 96, 160)], [noise(0, 4, *CROP_SIZE)]
    export_detector(random_weights(Detector()), folder / "detector.onnx", pictures, 0.4)
    register("detector", folder / "detector.onnx", "0.1.0")
    weights = random_weights(Classifier(len(READING_LABELS)))
    export_classifier(weights, folder / "classifier.onnx", crops, 1.5)
    register("classifier", folder / "classifier.onnx", "0.2.0")
    marked = [noise(1, 4, *MARKS_SIZE)]
    export_marks(random_weights(MarksReader()), folder / "marks.onnx", marked)
    register("marks", folder / "marks.onnx", "0.3.0")
    export_indices(random_weights(IndexReader()), folder / "indices.onnx", marked)
    register("indices", folder / "indices.onnx", "0.5.0")
    export_verifier(random_weights(Verifier()), folder / "verifier.onnx", crops)
    register("verifier", folder / "verifier.onnx", "0.4.0")
    return folder


def test_a_folded_network_answers_the_same_and_is_unfolded_from_its_file(shipped: Path) -> None:
    net = Classifier(len(READING_LABELS))
    start_from(net, shipped / "classifier.onnx")
    crops = torch.from_numpy(some_crops())
    with torch.no_grad():
        wanted: Answer = net.eval()(crops)
    norms = fold(net)
    assert "stem.1.running_var" in norms
    assert not any(isinstance(part, nn.BatchNorm2d) for part in net.modules())
    with torch.no_grad():
        folded: Answer = net(crops)
    assert torch.allclose(folded.logits, wanted.logits, atol=1e-4)
    again = Classifier(len(READING_LABELS)).eval()
    torch.manual_seed(5)
    own = random_weights(Classifier(len(READING_LABELS)))
    export_classifier(own, shipped / "again.onnx", [noise(1, 4, *CROP_SIZE)], 1.0)
    start_from(again, shipped / "again.onnx")
    for name, value in again.state_dict().items():
        most = 0.51 / 64 * float(own[name].abs().max())
        assert torch.allclose(value.float(), own[name].float(), atol=most)


def test_a_kernel_is_off_by_half_of_one_of_its_64_levels_at_most(shipped: Path) -> None:
    torch.manual_seed(3)
    own = random_weights(Detector())
    own["quarter.0.first.0.weight"][0] = 0.0
    own["quarter.0.first.0.weight"][1] *= 1000
    export_detector(own, shipped / "uneven.onnx", [noise(1, 1, 96, 160)], 0.4)
    stored, wanted = (
        weights["quarter.0.first.0.weight"]
        for weights in (load_weights(shipped / "uneven.onnx"), own)
    )
    widest = wanted.abs().amax(dim=(1, 2, 3), keepdim=True)
    assert ((stored - wanted).abs() <= 0.51 * widest / 64).all()
    assert not stored[0].any()


def test_exporting_what_was_shipped_keeps_its_very_levels(shipped: Path) -> None:
    net = Detector().eval()
    start_from(net, FOLDER / "detector.onnx")
    export_detector(net.state_dict(), shipped / "same.onnx", [noise(1, 1, 96, 160)], 0.45)
    before, after = (
        {
            tensor.name: numpy_helper.to_array(tensor)
            for tensor in onnx.load(path).graph.initializer
            if tensor.data_type == onnx.TensorProto.INT8 and len(tensor.dims) == 4
        }
        for path in (FOLDER / "detector.onnx", shipped / "same.onnx")
    )
    assert len(before) > 20
    assert before.keys() == after.keys()
    assert all(np.array_equal(before[name], after[name]) for name in before)


def test_the_shipped_classifier_answers_as_its_network() -> None:
    net = Classifier(len(READING_LABELS)).eval()
    start_from(net, FOLDER / "classifier.onnx")
    crops = some_crops()
    with torch.no_grad():
        answer: Answer = net(torch.from_numpy(crops))
    labels, upright, embedding, valid, corners = load_model("classifier").run(crops)
    assert (labels.argmax(axis=1) == answer.logits.argmax(dim=1).numpy()).mean() >= 0.95
    assert ((np.asarray(upright) > 0) == (answer.upright.numpy() > 0)).mean() >= 0.95
    assert (np.asarray(embedding) * answer.embedding.numpy()).sum(axis=1).min() > 0.99
    assert np.allclose(valid, torch.sigmoid(answer.valid).numpy(), atol=0.1)
    assert np.allclose(corners, answer.corners.numpy(), atol=0.02)


def test_the_shipped_reader_of_marks_answers_as_its_network() -> None:
    net = MarksReader().eval()
    start_from(net, FOLDER / "marks.onnx")
    crops = some_crops(MARKS_SIZE)
    with torch.no_grad():
        wanted = torch.softmax(net(torch.from_numpy(crops)), dim=1).numpy()
    model = load_model("marks")
    assert model.metadata["size"] == list(MARKS_SIZE)
    assert np.abs(model.run(crops)[0].astype(np.float32) - wanted).mean() < 0.02


def test_the_shipped_reader_of_indices_answers_as_its_network() -> None:
    net = IndexReader().eval()
    start_from(net, FOLDER / "indices.onnx")
    crops = some_crops(MARKS_SIZE)
    with torch.no_grad():
        wanted = IndexGraph(net)(torch.from_numpy(crops)).numpy()
    answer = load_model("indices").run(crops)[0].astype(np.float32)
    assert answer.shape == (len(crops), len(INDICES))
    assert np.abs(answer - wanted).mean() < 0.02
    assert np.allclose(answer.sum(axis=1), 1, atol=1e-3)


def test_the_shipped_detector_finds_what_its_network_does() -> None:
    net = Detector().eval()
    start_from(net, FOLDER / "detector.onnx")
    scene = hand_scene(np.random.default_rng(0), SAMPLE, (768, 1024))
    picture = scene.image[np.newaxis]
    with torch.no_grad():
        centre, sector, corners = (each.numpy() for each in net(torch.from_numpy(picture)))
    heat, *shape = (np.asarray(part, np.float32) for part in load_model("detector").run(picture))
    scores = 1 / (1 + np.exp(-centre[0]))
    wanted = decode(np.where(heat[0] > 0, scores, 0), sector[0], corners[0], 0.3, STRIDE)
    found = decode(heat[0], shape[0][0], shape[1][0], 0.3, STRIDE)
    pairs = match(wanted.quads, found.quads, 0.8)
    assert len(pairs) >= max(10, 0.9 * max(len(wanted), len(found)))


def test_the_shipped_verifier_judges_as_its_network() -> None:
    net = Verifier().eval()
    start_from(net, FOLDER / "verifier.onnx")
    scene = hand_scene(np.random.default_rng(0), SAMPLE, (768, 1024))
    beside = scene.quads + np.array([0, 60], np.float32)
    crops = with_surroundings(scene.image, np.concatenate([scene.quads, beside]))
    with torch.no_grad():
        answers = [each.numpy() for each in net(torch.from_numpy(crops))]
    for wanted, told in zip(answers, load_model("verifier").run(crops), strict=False):
        got = np.asarray(told)
        assert np.abs(np.tanh(got / 4) - np.tanh(wanted / 4)).mean() < 0.05


def test_the_detector_keeps_local_maxima_only() -> None:
    scene = hand_scene(np.random.default_rng(0), SAMPLE, (320, 480))
    heat = np.asarray(load_model("detector").run(scene.image[np.newaxis])[0])
    most = heat.max(axis=1)[0]
    kept = np.argwhere(most > 0)
    assert 0 < len(kept) < most.size / 2
    near = [np.abs(kept - place).max(axis=1) <= 1 for place in kept]
    assert all(np.ptp(most[tuple(kept[close].T)]) == 0 for close in near)


def test_models_are_read_with_their_descriptions(shipped: Path) -> None:
    image = np.full((200, 300, 3), 128, np.uint8)
    verifier = OnnxVerifier(load_model("verifier", shipped))
    found = OnnxDetector(load_model("detector", shipped), verifier).detect(image)
    assert found.quads.shape[1:] == (4, 2)
    quads = np.array([[[50, 50], [90, 50], [90, 105], [50, 105]]], np.float32)
    marks = OnnxMarks(CropReader(load_model("marks", shipped), BONUS_TILES))
    indices = CropReader(load_model("indices", shipped), INDICES)
    classifier = OnnxClassifier(load_model("classifier", shipped), marks, indices)
    seen = classifier.classify(image, quads)
    assert seen.probabilities.shape == (1, len(READING_LABELS))


def test_weights_of_another_network_are_refused(shipped: Path) -> None:
    assert "stem.0.weight" in load_weights(shipped / "detector.onnx")
    with pytest.raises(ValueError, match="made for another network"):
        start_from(Classifier(len(READING_LABELS)), shipped / "detector.onnx")


def test_a_part_that_the_file_lacks_starts_fresh(shipped: Path, tmp_path: Path) -> None:
    file = tmp_path / "older.onnx"
    model = onnx.load(shipped / "classifier.onnx")
    kept = [t for t in model.graph.initializer if not t.name.startswith("net.valid")]
    del model.graph.initializer[:]
    model.graph.initializer.extend(kept)
    onnx.save(model, file)
    net = Classifier(len(READING_LABELS))
    fresh = net.valid.weight.detach().clone()
    start_from(net, file)
    assert torch.equal(net.valid.weight, fresh)
    assert torch.equal(net.label.bias, load_weights(file)["label.bias"])
