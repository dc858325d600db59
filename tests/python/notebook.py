"""The first notebook runs, and shows the page of its run inline."""
from checks import check, end
from notebooks import run

notebook = run("first-chain.ipynb")
shown = [data for cell in notebook.cells for output in cell.get("outputs", []) for data in [output.get("data", {})]]
check(any(data.get("text/html", "").startswith("<iframe srcdoc=") for data in shown), "the page is not shown")
check(sum("image/png" in data for data in shown) >= 3, "pictures")
end()
