"""All messages are imported by ``messages``, under unique names, and used."""

from pathlib import Path

from app.contract.message_imports import find_misplaced_messages, find_unused_messages


def write_message_files(folder: Path, **files: str) -> Path:
    """Write files of messages to a folder, and return it."""
    for name, text in files.items():
        (folder / f"{name}.py").write_text(text, encoding="utf-8")
    return folder


class TestMisplacedMessages:
    """``find_misplaced_messages``."""

    def test_every_message_is_in_one_imported_file(self) -> None:
        assert find_misplaced_messages() == []

    def test_names_both_files_of_a_duplicate_message(self, tmp_path: Path) -> None:
        folder = write_message_files(
            tmp_path, orders='SAVED = "Saved"\n', results='SAVED = "Saved!"\n'
        )
        assert find_misplaced_messages(folder, {"SAVED"}) == [
            "app/contract/messages/results.py: SAVED is in app/contract/messages/orders.py already"
        ]

    def test_names_a_file_with_a_duplicate_message(self, tmp_path: Path) -> None:
        folder = write_message_files(tmp_path, orders='SAVED = "Saved"\nSAVED = "Saved!"\n')
        [line] = find_misplaced_messages(folder, {"SAVED"})
        assert line.startswith("app/contract/messages/orders.py: SAVED is in ")

    def test_names_a_file_that_is_not_imported(self, tmp_path: Path) -> None:
        folder = write_message_files(tmp_path, supplies='SUPPLY_SENT = "Sent"\n')
        assert find_misplaced_messages(folder, set()) == [
            "app/contract/messages/supplies.py: SUPPLY_SENT is not imported by messages/__init__.py"
        ]


class TestUnusedMessages:
    """``find_unused_messages``."""

    def test_every_message_is_used(self) -> None:
        assert find_unused_messages() == []

    def test_names_the_file_of_an_unused_message(self, tmp_path: Path) -> None:
        (tmp_path / "ui" / "src").mkdir(parents=True)
        (tmp_path / "ui" / "src" / "Orders.tsx").write_text("say(messages.SAVED)", encoding="utf-8")
        # Neither a test nor another message is a use.
        (tmp_path / "ui" / "src" / "Orders.test.tsx").write_text("messages.SENT", encoding="utf-8")
        folder = write_message_files(tmp_path, orders='SAVED = "Saved"\nSENT = "Sent"\n')
        assert find_unused_messages(folder, tmp_path) == [
            "app/contract/messages/orders.py: nothing uses SENT"
        ]
