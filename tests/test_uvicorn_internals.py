"""The parts of uvicorn and websockets that server/connections.py overrides or uses are as we know them. A failure here
says which one a new version has changed."""

import inspect
from importlib.metadata import version

import pytest
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets import frames, protocol
from websockets.server import ServerProtocol

VERSIONS = f"uvicorn {version('uvicorn')}, websockets {version('websockets')}: see src/sixfold/server/connections.py"
# The methods with their parameters.
METHODS: dict[type, dict[str, list[str]]] = {
    HttpToolsProtocol: {
        "connection_made": ["transport"],
        "connection_lost": ["exc"],
        "data_received": ["data"],
        "on_message_begin": [],
        "on_url": ["url"],
        "on_header": ["name", "value"],
        "on_headers_complete": [],
        "on_message_complete": [],
        "handle_websocket_upgrade": [],
        "send_400_response": ["msg"],
    },
    WebSocketsSansIOProtocol: {
        "connection_made": ["transport"],
        "connection_lost": ["exc"],
        "data_received": ["data"],
        "handle_connect": ["event"],
        "handle_events": [],
        "handle_parser_exception": [],
        "keepalive_timeout": [],
        "resume_writing": [],
        "send_receive_event_to_app": [],
    },
    ServerProtocol: {"events_received": []},
}
ATTRIBUTES = {
    HttpToolsProtocol: ("client", "cycle", "pipeline", "transport"),
    WebSocketsSansIOProtocol: (
        "client",
        "close_sent",
        "conn",
        "curr_msg_data_type",
        "disconnected",
        "frames",
        "handshake_initiated",
        "loop",
        "read_paused",
        "scope",
        "transport",
        "writable",
    ),
    protocol.Protocol: ("close_sent", "events", "state"),
}


@pytest.mark.parametrize(
    ("base", "method"), [(base, method) for base, methods in METHODS.items() for method in methods], ids=str
)
def test_a_method_has_its_parameters(base: type, method: str) -> None:
    function = getattr(base, method, None)
    assert function is not None, f"{base.__name__} has no {method} any more ({VERSIONS})"
    _, *parameters = inspect.signature(function).parameters
    assert parameters == METHODS[base][method], f"{base.__name__}.{method} ({VERSIONS})"


@pytest.mark.parametrize("base", ATTRIBUTES, ids=lambda base: base.__name__)
def test_the_attributes_are_there(base: type) -> None:
    source = inspect.getsource(base)
    for name in ATTRIBUTES[base]:
        assert f"self.{name}" in source or hasattr(base, name), f"{base.__name__} has no {name} any more ({VERSIONS})"


def test_frames_can_be_unmasked() -> None:
    assert frames.apply_mask(b"\x01\x02\x03\x04\x05", b"\x01\x01\x01\x01") == b"\x00\x03\x02\x05\x04", VERSIONS  # type: ignore[attr-defined]
    assert protocol.State.OPEN.name == "OPEN", VERSIONS
    assert inspect.isclass(frames.Frame), VERSIONS
