import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gerotor.errors import WiringError
from gerotor.mechanics.body import Body
from gerotor.mechanics.frame import Frame, Payload
from gerotor.mechanics.joint import Joint
from gerotor.mechanics.tree import Tree

G = (0, 0, -9.81)


def joint(name, parent=None, kind="revolute"):
    return Joint(name=name, kind=kind, parent=parent, body=Body(1.0))


@given(st.permutations(["a", "b", "c", "d", "e"]))
@settings(max_examples=20, deadline=None)
def test_joints_are_sorted_parents_first(order):
    parents = {"a": None, "b": "a", "c": "a", "d": "c", "e": None}
    tree = Tree("t", tuple(joint(n, parents[n]) for n in order), G)
    for link, name in zip(tree.links, tree.names, strict=True):
        assert (tree.names[link.parent] if link.parent >= 0 else None) == parents[name]


def test_a_sorted_tree_keeps_its_order():
    assert Tree("t", (joint("x"), joint("b", "x"), joint("a", "x")), G).names == ("x", "b", "a")


@pytest.mark.parametrize(("joints", "words"), [
    ((joint("a"), joint("a")), "t: duplicate joint 'a': every one needs its own name"),
    ((joint("a"), joint("b", "bse")), "t: joint 'b' has unknown parent 'bse'; known: "),
    ((joint("a", "b"), joint("b", "a")), "t: joints 'a', 'b' form a cycle: cut one of them"),
    ((joint("a", "a"),), "t: joints 'a' form a cycle"),
])
def test_wrong_trees_are_refused(joints, words):
    with pytest.raises(WiringError, match=words):
        Tree("t", joints, G)


def test_wrong_frames_and_payloads_are_refused():
    with pytest.raises(WiringError, match="frame 'f' sits on unknown joint 'z'; known: a"):
        Tree("t", (joint("a"),), G, frames=(Frame("f", "z"),))
    with pytest.raises(WiringError, match="duplicate joint or frame 'a'"):
        Tree("t", (joint("a"),), G, frames=(Frame("a", "a"),))
    with pytest.raises(WiringError, match="unknown frame 'nowhere'; known: a"):
        Tree("t", (joint("a"),), G, payloads=(Payload("p", "nowhere", Body(1.0)),))
    with pytest.raises(WiringError, match="unknown payload 'q'; known: p"):
        Tree("t", (joint("a"),), G, payloads=(Payload("p", "a", Body(1.0)),)).with_payload_masses({"q": 1.0})


def test_fixed_joints_have_no_coordinate_and_carry_their_mass_down():
    tree = Tree("t", (joint("a"), joint("plate", "a", "fixed"), joint("base", None, "fixed"), joint("b", "plate")), G)
    assert tree.names == ("a", "b")
    assert [float(link.mass) for link in tree.links] == [2, 1]
    assert tree.path(1) == [0, 1]
    assert np.array([link.parent for link in tree.links]).tolist() == [-1, 0]
