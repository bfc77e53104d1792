"""Shader graphs written as expressions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

import bpy

from datasets.pathtraced.table.plan import Rgb

Socket: TypeAlias = bpy.types.NodeSocket
Input: TypeAlias = Socket | float | tuple[float, ...]


def rgba(colour: Rgb) -> tuple[float, float, float, float]:
    """An opaque linear colour."""
    return (*colour, 1.0)


class Graph:
    """The nodes of one material.

    Attributes:
        material: the material that is being built.
        tree: its nodes and links.
    """

    def __init__(self, name: str) -> None:
        self.material = bpy.data.materials.new(name)
        self.material.use_nodes = True
        self.tree = self.material.node_tree
        self.tree.nodes.clear()

    def node(
        self,
        kind: str,
        inputs: Mapping[str, Input] | Mapping[int, Input] | None = None,
        **attributes: object,
    ) -> bpy.types.Node:
        """A node with attributes set and inputs linked (a socket) or given (a value)."""
        node = self.tree.nodes.new(f"ShaderNode{kind}")
        for name, value in attributes.items():
            setattr(node, name, value)
        given: Mapping[str, Input] | Mapping[int, Input] = inputs or {}
        for key, value in given.items():
            if isinstance(value, bpy.types.NodeSocket):
                self.tree.links.new(value, node.inputs[key])
            else:
                node.inputs[key].default_value = value
        return node

    def math(self, operation: str, first: Input, second: Input = 0.0) -> Socket:
        """One arithmetic operation."""
        return self.node("Math", {0: first, 1: second}, operation=operation).outputs[0]

    def mix(self, factor: Input, first: Input, second: Input, blend: str = "MIX") -> Socket:
        """Two colours mixed."""
        inputs = {0: factor, 6: first, 7: second}
        node = self.node("Mix", inputs, data_type="RGBA", blend_type=blend)
        return node.outputs[2]

    def noise(self, place: Socket, scale: float, detail: float = 2.0) -> Socket:
        """Cloudy noise, mostly 0.3..0.7."""
        inputs = {"Vector": place, "Scale": scale, "Detail": detail}
        return self.node("TexNoise", inputs).outputs["Fac"]

    def stretched(self, place: Socket, scale: tuple[float, float, float]) -> Socket:
        """The coordinates scaled along each axis."""
        return self.node("Mapping", {"Vector": place, "Scale": scale}).outputs[0]

    def ramp(self, factor: Socket, stops: list[tuple[float, Rgb]], *, steps: bool) -> Socket:
        """Colours along a line from 0 to 1, in steps or blended."""
        node = self.node("ValToRGB", {0: factor})
        node.color_ramp.interpolation = "CONSTANT" if steps else "LINEAR"
        elements = node.color_ramp.elements
        while len(elements) < len(stops):
            elements.new(1.0)
        for element, (position, colour) in zip(elements, stops, strict=True):
            element.position = position
            element.color = rgba(colour)
        return node.outputs[0]

    def bump(self, height: Socket, strength: float, distance: float) -> Socket:
        """A normal that follows a height."""
        inputs = {"Height": height, "Strength": strength, "Distance": distance}
        return self.node("Bump", inputs).outputs[0]

    def surface(self, **inputs: Input) -> bpy.types.Material:
        """Finish with one glossy surface, whose inputs have Blender's names with ``_`` for a space.

        Returns:
            The finished material.
        """
        named = {name.replace("_", " "): value for name, value in inputs.items()}
        shader = self.node("BsdfPrincipled", named)
        self.node("OutputMaterial", {"Surface": shader.outputs[0]})
        return self.material


def plain(
    name: str, colour: Rgb, roughness: float, *, coat: float = 0.0, metal: float = 0.0
) -> bpy.types.Material:
    """One colour with a slightly uneven gloss."""
    graph = Graph(name)
    place = graph.node("TexCoord").outputs["Object"]
    uneven = graph.math("MULTIPLY_ADD", graph.noise(place, 1.5), 0.15)
    uneven.node.inputs[2].default_value = roughness - 0.07
    return graph.surface(
        Base_Color=rgba(colour), Roughness=uneven, Coat_Weight=coat, Metallic=metal
    )
