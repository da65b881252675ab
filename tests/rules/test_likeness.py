"""When two patients look like one person."""

import unicodedata
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.contract.enumerations import LookAlikeReason as Why
from app.server.patients.likeness import (
    Person,
    letters,
    names_are_similar,
    reasons,
    strength,
    typing_errors,
)

BORN = date(1980, 5, 6)
plain = st.text("ABCDEFGHIJKLMNOPQRSTUVWXYZ", min_size=1, max_size=12)
long_names = st.text("ABCDEFGHIJKLMNOPQRSTUVWXYZ", min_size=5, max_size=20)
names = st.text(max_size=40)
people = st.builds(
    Person,
    last_name=names,
    first_name=names,
    birth_date=st.none() | st.just(BORN) | st.dates(),
    ssn=st.none() | st.sampled_from([b"1", b"2"]),
)


class TestLetters:
    """What of a name is compared."""

    @pytest.mark.parametrize(
        "name", ["O'NEIL-GARCIA", "ONEIL GARCIA", "Ónéil Garcia", "o neil garcía", "O’Neil–Garcia"]
    )
    def test_case_accents_and_punctuation_do_not_count(self, name: str) -> None:
        assert letters(name) == "oneilgarcia"

    @given(names)
    def test_is_the_same_however_the_text_is_composed(self, name: str) -> None:
        assert letters(unicodedata.normalize("NFD", name)) == letters(
            unicodedata.normalize("NFC", name)
        )

    @given(names)
    def test_is_all_letters_and_stays_what_it_is(self, name: str) -> None:
        assert all(c.isalnum() for c in letters(name))
        assert letters(letters(name)) == letters(name)

    @given(plain)
    def test_upper_and_lower_case_are_one(self, name: str) -> None:
        assert letters(name) == letters(name.lower()) == letters(f" {name}. ")


class TestTypingErrors:
    """The distance of two names in slips of the fingers."""

    @given(plain, plain)
    def test_is_the_same_both_ways(self, one: str, other: str) -> None:
        assert typing_errors(one, other, 99) == typing_errors(other, one, 99)

    @given(plain, plain, st.integers(0, 3))
    def test_a_limit_changes_only_what_is_beyond_it(self, one: str, other: str, most: int) -> None:
        exact = typing_errors(one, other, 99)
        limited = typing_errors(one, other, most)
        assert limited == exact if exact <= most else limited > most

    @given(plain, plain)
    def test_none_means_equal(self, one: str, other: str) -> None:
        assert (typing_errors(one, other, 99) == 0) == (one == other)

    @given(plain, st.data())
    def test_two_neighbours_transposed_are_one(self, name: str, data: st.DataObject) -> None:
        if len(name) < 2:
            return
        i = data.draw(st.integers(0, len(name) - 2))
        swapped = name[:i] + name[i + 1] + name[i] + name[i + 2 :]
        assert typing_errors(name, swapped, 9) == (0 if swapped == name else 1)


class TestSimilarNames:
    """Whether one name may be the other."""

    @given(names, names)
    def test_is_the_same_both_ways(self, one: str, other: str) -> None:
        assert names_are_similar(one, other) == names_are_similar(other, one)

    @given(names)
    def test_a_name_is_similar_to_itself_unless_it_has_no_letters(self, name: str) -> None:
        assert names_are_similar(name, name) == bool(letters(name))

    @given(long_names, st.data())
    def test_one_slip_in_a_long_name_does_not_matter(self, name: str, data: st.DataObject) -> None:
        i = data.draw(st.integers(0, len(name) - 1))
        letter = data.draw(st.sampled_from("ABCXYZ"))
        for slip in (name[:i] + name[i + 1 :], name[:i] + letter + name[i + 1 :]):
            assert names_are_similar(name, slip)
        assert names_are_similar(name, name[:i] + letter + name[i:])

    @given(st.text("ABCDEFGH", min_size=3, max_size=12), plain)
    def test_a_short_form_of_three_letters_is_the_beginning(self, short: str, more: str) -> None:
        assert names_are_similar(short, short + more)

    @pytest.mark.parametrize(
        ("one", "other", "similar"),
        [
            ("LIZ", "LIZBETH", True),
            ("ANN", "ANNA", True),
            ("ANN", "ANA", False),
            ("JO", "JOHN", False),
            ("SMITH", "SMYTH", True),
            ("SCHMIDT", "SCHMITT", True),
            ("KATHERINE", "CATHARINE", True),
            ("LEE", "LOPEZ", False),
            ("", "LEE", False),
            ("李", "李", True),
        ],
    )
    def test_of_real_names(self, one: str, other: str, similar: bool) -> None:
        assert names_are_similar(one, other) is similar


class TestReasons:
    """Why two patients look alike."""

    @given(people, people)
    def test_are_the_same_both_ways_but_for_who_cut_the_name(
        self, one: Person, other: Person
    ) -> None:
        assert reasons(one, other) == reasons(other, one)

    @given(people, people)
    def test_there_is_always_one_ssn_or_one_birth_date_with_a_name(
        self, one: Person, other: Person
    ) -> None:
        found = reasons(one, other)
        if found:
            named = {Why.SAME_NAME, Why.SIMILAR_NAME, Why.NAMES_SWAPPED}
            assert Why.SAME_SSN in found or (Why.SAME_BIRTH_DATE in found and named & set(found))
            assert len(set(found)) == len(found)

    @given(people)
    def test_a_whole_person_looks_like_themselves(self, person: Person) -> None:
        whole = bool(person.birth_date and letters(person.last_name) and letters(person.first_name))
        assert bool(reasons(person, person)) == (whole or person.ssn is not None)

    @given(plain, plain)
    def test_exchanged_names_are_noticed(self, last: str, first: str) -> None:
        found = reasons(Person(last, first, BORN), Person(first, last, BORN))
        expected = Why.SAME_NAME if last == first else Why.NAMES_SWAPPED
        assert found == (Why.SAME_BIRTH_DATE, expected)

    @given(people, st.dates(), st.dates())
    def test_another_birth_date_and_no_ssn_never_look_alike(
        self, person: Person, one: date, other: date
    ) -> None:
        if one == other:
            return
        a = Person(person.last_name, person.first_name, one)
        b = Person(person.last_name, person.first_name, other)
        assert reasons(a, b) == ()

    def test_an_unknown_ssn_is_nobodys(self) -> None:
        assert reasons(Person(), Person()) == ()

    def test_more_and_stronger_reasons_come_first(self) -> None:
        ordered = [
            (Why.SAME_SSN, Why.SAME_BIRTH_DATE, Why.SAME_NAME),
            (Why.SAME_SSN, Why.SAME_BIRTH_DATE, Why.SIMILAR_NAME),
            (Why.SAME_SSN,),
            (Why.SAME_BIRTH_DATE, Why.SAME_NAME),
            (Why.SAME_BIRTH_DATE, Why.NAMES_SWAPPED),
            (Why.SAME_BIRTH_DATE, Why.SIMILAR_NAME),
        ]
        assert sorted(ordered, key=strength) == ordered
