"""Rules for look-alikes."""

import unicodedata
from datetime import date

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from app.contract.enumerations import LookAlikeReason as Why
from app.server.patients.likeness import (
    Person,
    are_names_similar,
    build_rank_key,
    count_typos,
    extract_letters,
    find_reasons,
)

BORN = date(1980, 5, 6)
plain_names = st.text("ABCDEFGHIJKLMNOPQRSTUVWXYZ", min_size=1, max_size=12)
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
    """The letters that are compared."""

    @pytest.mark.parametrize(
        "name", ["O'NEIL-GARCIA", "ONEIL GARCIA", "Ónéil Garcia", "o neil garcía", "O’Neil–Garcia"]
    )
    def test_case_accents_and_punctuation_do_not_count(self, name: str) -> None:
        assert extract_letters(name) == "oneilgarcia"

    @given(names)
    def test_does_not_depend_on_unicode_composition(self, name: str) -> None:
        assert extract_letters(unicodedata.normalize("NFD", name)) == extract_letters(
            unicodedata.normalize("NFC", name)
        )

    @given(names)
    def test_returns_only_letters_and_is_idempotent(self, name: str) -> None:
        assert all(c.isalnum() for c in extract_letters(name))
        assert extract_letters(extract_letters(name)) == extract_letters(name)

    @given(plain_names)
    def test_ignores_case(self, name: str) -> None:
        assert (
            extract_letters(name) == extract_letters(name.lower()) == extract_letters(f" {name}. ")
        )


def count_typos_slowly(first: str, second: str) -> int:
    """Count typos by their definition: the optimal string alignment."""
    if not first or not second:
        return len(first) + len(second)
    counts = [
        count_typos_slowly(first[:-1], second) + 1,
        count_typos_slowly(first, second[:-1]) + 1,
        count_typos_slowly(first[:-1], second[:-1]) + (first[-1] != second[-1]),
    ]
    if first[-2:] == second[-2:][::-1] and len(first[-2:]) == 2:
        counts.append(count_typos_slowly(first[:-2], second[:-2]) + 1)
    return min(counts)


class TestTypos:
    """The number of typos between two names."""

    @given(st.text("AB", max_size=5), st.text("AB", max_size=5))
    @example("AAA", "A")
    def test_is_the_smallest_number_that_leads_from_one_to_the_other(
        self, first: str, second: str
    ) -> None:
        assert count_typos(first, second, 99) == count_typos_slowly(first, second)

    @given(plain_names, plain_names)
    def test_is_symmetric(self, first: str, second: str) -> None:
        assert count_typos(first, second, 99) == count_typos(second, first, 99)

    @given(plain_names, plain_names, st.integers(0, 3))
    @example("SMITH", "SMYTH", 1)
    @example("A", "BCDEF", 3)
    def test_a_limit_only_changes_counts_above_the_limit(
        self, first: str, second: str, max_count: int
    ) -> None:
        exact = count_typos(first, second, 99)
        assert count_typos(first, second, max_count) == min(exact, max_count + 1)

    @given(plain_names, plain_names)
    def test_texts_without_typos_are_equal(self, first: str, second: str) -> None:
        assert (count_typos(first, second, 99) == 0) == (first == second)

    @given(plain_names, st.data())
    def test_swapped_neighbors_count_once(self, name: str, data: st.DataObject) -> None:
        if len(name) < 2:
            return
        i = data.draw(st.integers(0, len(name) - 2))
        swapped_name = name[:i] + name[i + 1] + name[i] + name[i + 2 :]
        assert count_typos(name, swapped_name, 9) == (0 if swapped_name == name else 1)


class TestSimilarNames:
    """Similarity of names."""

    @given(names, names)
    def test_is_symmetric(self, first: str, second: str) -> None:
        assert are_names_similar(first, second) == are_names_similar(second, first)

    @given(names)
    def test_a_name_with_letters_is_similar_to_itself(self, name: str) -> None:
        assert are_names_similar(name, name) == bool(extract_letters(name))

    @given(long_names, st.data())
    def test_one_typo_in_a_long_name_does_not_matter(self, name: str, data: st.DataObject) -> None:
        i = data.draw(st.integers(0, len(name) - 1))
        letter = data.draw(st.sampled_from("ABCXYZ"))
        for slip in (name[:i] + name[i + 1 :], name[:i] + letter + name[i + 1 :]):
            assert are_names_similar(name, slip)
        assert are_names_similar(name, name[:i] + letter + name[i:])

    @given(st.text("ABCDEFGH", min_size=3, max_size=12), plain_names)
    def test_a_name_may_be_shortened_to_three_letters(self, short_name: str, more: str) -> None:
        assert are_names_similar(short_name, short_name + more)

    @pytest.mark.parametrize(
        ("first", "second", "is_similar"),
        [
            ("LIZ", "LIZBETH", True),
            ("ANN", "ANNA", True),
            ("ANN", "ANA", False),
            ("JO", "JOHN", False),
            ("SMITH", "SMYTH", True),
            ("SCHMIDT", "SCHMITT", True),
            ("KATHERINE", "CATHARINE", True),
            ("JOHNSON", "JAHNSAN", False),
            ("MARTINEZ", "MORTINES", True),
            ("MARTINEZ", "MORTYNES", False),
            ("MARTINE", "LARTINEZ", False),
            ("LEE", "LOPEZ", False),
            ("", "LEE", False),
            ("李", "李", True),
        ],
    )
    def test_judges_real_names(self, first: str, second: str, is_similar: bool) -> None:
        assert are_names_similar(first, second) is is_similar


class TestReasons:
    """Reasons why two patients look alike."""

    @given(people, people)
    def test_reasons_are_symmetric(self, first: Person, second: Person) -> None:
        assert find_reasons(first, second) == find_reasons(second, first)

    @given(people, people)
    def test_reasons_need_the_same_ssn_or_birth_date_and_name(
        self, first: Person, second: Person
    ) -> None:
        reasons = find_reasons(first, second)
        if reasons:
            name_reasons = {Why.SAME_NAME, Why.SIMILAR_NAME, Why.NAMES_SWAPPED}
            assert Why.SAME_SSN in reasons or (
                Why.SAME_BIRTH_DATE in reasons and name_reasons & set(reasons)
            )
            assert len(set(reasons)) == len(reasons)

    @given(people)
    def test_a_complete_person_looks_like_themselves(self, person: Person) -> None:
        is_complete = bool(
            person.birth_date
            and extract_letters(person.last_name)
            and extract_letters(person.first_name)
        )
        assert bool(find_reasons(person, person)) == (is_complete or person.ssn is not None)

    @given(plain_names, plain_names)
    def test_notices_swapped_names(self, last: str, first: str) -> None:
        reasons = find_reasons(Person(last, first, BORN), Person(first, last, BORN))
        expected = Why.SAME_NAME if last == first else Why.NAMES_SWAPPED
        assert reasons == (Why.SAME_BIRTH_DATE, expected)

    @pytest.mark.parametrize(
        ("last_name", "first_name", "reason"),
        [
            ("GARZIA", "MARYA", Why.SIMILAR_NAME),
            ("MARYA", "GARZIA", Why.NAMES_SWAPPED),
            ("GARZIA", "JAMES", None),
            ("LOPEZ", "MARYA", None),
            ("JAMES", "GARZIA", None),
            ("MARYA", "LOPEZ", None),
        ],
    )
    def test_both_names_must_be_similar(
        self, last_name: str, first_name: str, reason: Why | None
    ) -> None:
        reasons = find_reasons(Person("GARCIA", "MARIA", BORN), Person(last_name, first_name, BORN))
        assert reasons == ((Why.SAME_BIRTH_DATE, reason) if reason else ())

    @given(people, st.dates(), st.dates())
    def test_different_birth_dates_without_ssn_never_look_alike(
        self, person: Person, first_day: date, second_day: date
    ) -> None:
        if first_day == second_day:
            return
        a = Person(person.last_name, person.first_name, first_day)
        b = Person(person.last_name, person.first_name, second_day)
        assert find_reasons(a, b) == ()

    def test_unknown_ssns_do_not_match(self) -> None:
        assert find_reasons(Person(), Person()) == ()

    def test_more_and_stronger_reasons_come_first(self) -> None:
        sorted_reasons = [
            (Why.SAME_SSN, Why.SAME_BIRTH_DATE, Why.SAME_NAME),
            (Why.SAME_SSN, Why.SAME_BIRTH_DATE, Why.SIMILAR_NAME),
            (Why.SAME_SSN,),
            (Why.SAME_BIRTH_DATE, Why.SAME_NAME),
            (Why.SAME_BIRTH_DATE, Why.NAMES_SWAPPED),
            (Why.SAME_BIRTH_DATE, Why.SIMILAR_NAME),
        ]
        assert sorted(sorted_reasons, key=build_rank_key) == sorted_reasons
