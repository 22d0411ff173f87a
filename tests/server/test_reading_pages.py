"""A page that is sent to be read comes back with its claims, and the runs that they open into."""

from regard.reading import read_text

PAGE = "# Weights\n\nSo 0.5*0.66 + 0.2*0.525 = 0.445.\n"


def test_a_page_is_read_as_the_library_reads_it(server):
    answer = server.post("/api/read", name="page.md", text=PAGE)
    assert answer.status == 200
    assert answer.data["reading"] == read_text(PAGE, "page.md").data()["reading"] | {}
    (claim,) = answer.data["reading"]["claims"]
    assert (claim["claimed"], claim["computed"], claim["verdict"]) == ("0.445", "0.435", "wrong")


def test_its_name_is_only_a_name(server):
    answer = server.post("/api/read", name="../../etc/passwd", text="nothing to compute")
    assert answer.status == 200 and answer.data["reading"]["claims"] == []
