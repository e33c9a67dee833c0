def test_it_works() -> None:
    total = sum(range(4))
    assert total == 6
