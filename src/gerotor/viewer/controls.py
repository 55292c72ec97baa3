"""One client's own controls: the operator's levers and buttons, or a viewer's request for them.

They live in the client's own part of the page, so no other client can reach them. Every value is
checked again on the way to the loop; what the page itself puts on a slider is no order. Levers moved
by key or gamepad are dead-man's levers: without a new touch for `DEAD_MAN` seconds they spring back.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from gerotor.integrators import INTEGRATORS
from gerotor.realtime.operator import full_speed
from gerotor.realtime.shared import POLICIES
from gerotor.realtime.stage import Lever, shown
from gerotor.viewer.gamepad import Gamepad
from gerotor.viewer.pulse import Pulse

if TYPE_CHECKING:
    from gerotor.viewer.page import LivePage

DEAD_MAN = 0.35
FOLLOW = 0.5  # s between two looks of the sliders at the joints
SCALES = ("0.1", "0.2", "0.5", "1", "2", "5", "10")
STEPS = ("0.2", "0.5", "1", "2", "5", "10")  # ms


class Controls:
    """Drawn anew whenever control changes hands."""

    def __init__(self, page: LivePage, client: Any) -> None:
        self.page, self.client, self.gui = page, client, client.gui
        self._expiry: dict[str, float] = {}
        self._sliders: dict[str, Any] = {}
        self._levers: dict[str, Any] = {}
        self._settings: dict[str, Any] = {}
        self._chosen = 0
        self._followed = 0.0
        self.gamepad: Gamepad | None = None
        self.handle: Any = None
        self.pulse = Pulse(client)
        self.draw()

    @property
    def session(self) -> Any:
        return self.page.session

    def draw(self) -> None:
        """All of it, as operator or as viewer."""
        self.gui.reset()
        self._hang(False)
        self._expiry.clear()
        self._sliders.clear()
        self._levers.clear()
        self._settings.clear()
        if self.holds:
            self._operator()
        else:
            self._viewer()
        views = self.gui.add_button_group("view", ("whole", "tool"))
        views.on_click(lambda e: (self.page.aim_at_tool if e.target.value == "tool" else self.page.aim)(self.client))

    def _viewer(self) -> None:
        self.gui.add_markdown("You are watching.")
        token = None if self.page.local(self.client) else self.gui.add_text("token", "")
        button = self.gui.add_button("Take control")

        def take(_: Any) -> None:
            given = str(token.value)[:200] if token is not None else ""
            refused = self.page.control.take(self.client.client_id, self.page.local(self.client), given)
            if refused:
                self.client.add_notification("No control", refused, auto_close_seconds=6, color="red")
            self.page.refresh(self.client.client_id)

        button.on_click(take)

    def _operator(self) -> None:
        gui = self.gui
        self._button("EMERGENCY STOP", self._emergency, color="red", hint="key E or Escape")
        self._button("Release the stop", self._release, color="gray")
        play = gui.add_button_group("run", ("play", "pause", "step", "reset"))
        play.on_click(lambda e: self._run_order(e.target.value))
        self._scale = gui.add_dropdown("time scale", SCALES, initial_value=f"{self.session.run.scale:g}")
        self._scale.on_update(lambda e: self._try(lambda: setattr(self.session.run, "scale", float(e.target.value))))
        if self.session.stage.settings:
            self._setting_folder()
        if self.session.stage.levers:
            self._lever_folder()
        if self.session.operated:
            self._joint_folder()
        if self.session.reaches:
            self._tool_folder()
        self._run_folder()
        self._keys()

    def _button(self, label: str, action: Callable[[], object], **options: Any) -> Any:
        button = self.gui.add_button(label, **options)
        button.on_click(lambda _: action())
        return button

    @property
    def holds(self) -> bool:
        """Whether this client has control; a late message of one who has given it away does nothing."""
        return bool(self.page.control.holder == self.client.client_id)

    def _try(self, action: Callable[[], object]) -> None:
        if self.holds:
            self.page.attempt(action)

    def _reset(self, **changes: Any) -> None:
        trouble = self.page.reset(**changes) if self.holds else ""
        if trouble:
            self.client.add_notification("Not possible", trouble, auto_close_seconds=8, color="red")

    def _run_order(self, order: str) -> None:
        run = self.session.run
        if order == "reset":
            self._reset()
        elif order in ("play", "pause", "step"):
            self._try({"play": run.resume, "pause": run.pause, "step": run.single_step}[order])

    def _emergency(self) -> None:
        self._try(self.session.run.emergency_stop)
        self._let_go()

    def _release(self) -> None:
        self._let_go()
        self._try(self.session.release)

    def _setting_folder(self) -> None:
        """What is chosen before a start, and the start."""
        chosen = self._settings
        with self.gui.add_folder("Start with"):
            for one in self.session.stage.settings:
                value = self.session.settings[one.name]
                if (one.lower, one.upper, one.step) == (0.0, 1.0, 1.0):
                    chosen[one.name] = self.gui.add_checkbox(one.label, value > 0.5)
                else:
                    chosen[one.name] = self.gui.add_slider(f"{one.label}, {one.unit}", one.lower, one.upper, one.step, value)
            self._button("Start", lambda: self._start_with({n: float(handle.value) for n, handle in chosen.items()}))

    def _start_with(self, settings: dict[str, float]) -> None:
        self._reset(settings=settings)
        self._try(self.session.run.resume)

    def _lever_folder(self) -> None:
        with self.gui.add_folder("Levers, % of full"):
            for lever in self.session.stage.levers:
                slider = self.gui.add_slider(lever.label, -100, 100, 1, 0, hint=self._full(lever))
                slider.on_update(lambda e, lever=lever: self._by_hand(e, lambda value: self._lever(lever, value)))
                self._levers[lever.input] = slider
            self._button("Let go of all", self._let_go)
            box = self.gui.add_checkbox("gamepad", False, hint="in this browser; its axes are the levers, in order")
            box.on_update(lambda e: self._gamepad(bool(e.target.value)))

    def _full(self, lever: Lever) -> str:
        """What a full lever means."""
        if lever.target:
            joint = next(j for j in self.session.stage.tree.moving if j.name == lever.label)
            unit, factor = shown(f"{joint.unit}/s")
            return f"100 % is {full_speed(joint) * factor:.3g} {unit}"
        unit, factor = shown(lever.unit)
        return f"100 % is {lever.upper * factor:.3g} {unit}"

    @staticmethod
    def _value(lever: Lever, percent: float) -> float:
        percent = min(max(percent, -100.0), 100.0)
        reach = lever.upper - lever.neutral if percent >= 0 else lever.neutral - lever.lower
        return lever.neutral + percent / 100 * reach

    def _lever(self, lever: Lever, percent: float) -> None:
        if np.isfinite(percent):
            self._try(lambda: self.session.levers({lever.input: self._value(lever, percent)}))

    def touch(self, number: int, percent: float) -> None:
        """A dead-man's touch of a lever."""
        levers = self.session.stage.levers
        if 0 <= number < len(levers) and np.isfinite(percent):
            self._lever(levers[number], percent)
            self._expiry[levers[number].input] = time.monotonic() + DEAD_MAN

    def tick(self, now: float) -> None:
        """Spring back what nobody touches; let sliders follow where levers went."""
        over = [name for name, end in self._expiry.items() if now > end]
        for name in over:
            del self._expiry[name]
            lever = next((x for x in self.session.stage.levers if x.input == name), None)
            if lever is not None:
                self._lever(lever, 0.0)
        if now > self._followed + FOLLOW:
            self._followed = now
            self._follow()
        here = self.page.joystick if self.page.joystick is not None and self.holds and self.page.local(self.client) else None
        for stick in (self.gamepad, here):
            for number, percent in stick.read() if stick is not None else ():
                self.touch(number, percent)

    def _follow(self) -> None:
        """Sliders where the levers have led their joints; those that are being told where to go stay."""
        row = self.session.row()
        if row is None or not self.holds or not self._sliders or not self.session.by_levers:
            return
        for lever in self.session.stage.levers:
            slider = self._sliders[lever.target]
            at = round(float(row[self.session.index[f"ref.q.{lever.label}"]]) * shown(lever.unit)[1], 1)
            if abs(at - slider.value) > 0.05:
                slider.value = min(max(at, slider.min), slider.max)

    def _let_go(self) -> None:
        for slider in self._levers.values():
            slider.value = 0
        self._try(self.session.neutral)

    def restart(self) -> None:
        """After a reset: everything as at the start."""
        for lever in self.session.stage.levers:
            if lever.input in self._levers:
                self._levers[lever.input].value = 0
            if lever.target in self._sliders:
                self._sliders[lever.target].value = self._start(lever)
        for name, handle in self._settings.items():
            handle.value = self.session.settings[name]

    def _start(self, lever: Lever) -> float:
        factor = shown(lever.unit)[1]
        return round(float(self.session.stage.start.get(f"arm.q.{lever.label}", 0.0)) * factor, 1)

    def _joint_folder(self) -> None:
        with self.gui.add_folder("Joints: go to"):
            for lever in self.session.stage.levers:
                unit, factor = shown(lever.unit)
                ends = zip(lever.range, (-180.0, 180.0), strict=True)
                low, high = (round(v * factor, 1) if np.isfinite(v) else wide for v, wide in ends)
                slider = self.gui.add_slider(f"{lever.label}, {unit}", low, high, 0.1, min(max(self._start(lever), low), high))
                slider.on_update(lambda e, lever=lever: self._by_hand(e, lambda value: self._go(lever, value)))
                self._sliders[lever.target] = slider

    @staticmethod
    def _by_hand(event: Any, action: Callable[[float], None]) -> None:
        """Act on a slider that the client has moved."""
        if event.client is not None:
            action(float(event.target.value))

    def _go(self, lever: Lever, value: float) -> None:
        """`value` in the unit shown."""
        if np.isfinite(value):
            self._try(lambda: self.session.targets({lever.label: value / shown(lever.unit)[1]}))

    def _tool_folder(self) -> None:
        tip = self.page.machine.tool_position(self.page.machine.q)
        with self.gui.add_folder("Tool: go to", expand_by_default=False):
            place = self.gui.add_vector3("x, y, z in m", tuple(round(float(x), 3) for x in tip), step=0.01)
            self._button("Go", lambda: self._tool(place.value))
            gizmo = self.gui.add_checkbox("drag in the scene", False)
            gizmo.on_update(lambda _: self._hang(bool(gizmo.value)))

    def _hang(self, on: bool) -> None:
        """A handle at the tool, to be dragged."""
        if self.handle is not None:
            self.handle.remove()
            self.handle = None
        if on:
            here = self.page.machine.tool_position(self.page.machine.q)
            self.handle = self.client.scene.add_transform_controls("/tool_target", scale=0.15 * self.page.machine.reach,
                                                                   disable_rotations=True, position=here, depth_test=False)
            self.handle.on_update(lambda e: self._tool(e.target.position))

    def _tool(self, place: Any) -> None:
        numbers = np.asarray(place, dtype=float)
        if numbers.shape == (3,) and np.all(np.isfinite(numbers)):
            self._try(lambda: self.session.tool_to(self.page.machine.in_base(numbers)))

    def _run_folder(self) -> None:
        with self.gui.add_folder("Scenario", expand_by_default=False):
            names = [f"{m}: {s}" for m, kinds in self.page.choices.items() for s in kinds]
            here = f"{self.session.machine_name}: {self.session.stage.name}"
            chooser = self.gui.add_dropdown("scenario", (here, *(n for n in names if n != here)))
            chooser.on_update(lambda e: self._switch(e.target.value))
            method = self.gui.add_dropdown("integrator", tuple(INTEGRATORS), initial_value=self.session.method)
            step = self.gui.add_dropdown("step, ms", tuple(dict.fromkeys((f"{self.session.step * 1e3:g}", *STEPS))))
            self._button("Restart with these", lambda: self._reset(method=method.value, step=float(step.value) * 1e-3))
            policy = self.gui.add_dropdown("missed deadline", POLICIES, initial_value=self.session.run.policy)
            policy.on_update(lambda e: self._try(lambda: setattr(self.session.run, "policy", e.target.value)))
            self._button("Give control away", self._give_away)

    def _switch(self, choice: str) -> None:
        machine, _, name = choice.partition(": ")
        if self.holds and name in self.page.choices.get(machine, ()):
            note = self.client.add_notification("Building", f"{choice} ...", loading=True, with_close_button=False)
            trouble = self.page.switch(machine, name)
            note.remove()
            if trouble:
                self.client.add_notification("Not possible", trouble, auto_close_seconds=8, color="red")

    def _give_away(self) -> None:
        self._let_go()
        self.page.control.drop(self.client.client_id)
        self.page.refresh(self.client.client_id)

    def _gamepad(self, on: bool) -> None:
        if self.gamepad is not None:
            self.gamepad.close()
        self.gamepad = Gamepad(self.client) if on else None

    def _keys(self) -> None:
        """Space, R, E, digits choose a lever, arrows move it."""
        orders: list[tuple[str, str, Callable[[], object]]] = [
            ("Emergency stop", "E", self._emergency), ("Emergency stop (Escape)", "escape", self._emergency),
            ("Play or pause", "space", lambda: self._run_order("play" if self.session.run.c.pause else "pause")),
            ("Reset", "R", lambda: self._run_order("reset")), ("Step", "S", lambda: self._run_order("step")),
            ("Lever up", "arrowup", lambda: self.touch(self._chosen, 100.0)),
            ("Lever down", "arrowdown", lambda: self.touch(self._chosen, -100.0)),
        ]
        orders += [
            (f"Lever {lever.label}", str(k + 1), lambda k=k: setattr(self, "_chosen", k))  # type: ignore[misc]
            for k, lever in enumerate(self.session.stage.levers[:9])
        ]
        for label, key, action in orders:
            self.gui.add_command(label, hotkey=key).on_trigger(lambda _, action=action: action())
