"""All notebooks run to their end; what they find is asserted in their cells."""
import os

from checks import check, end
from notebooks import FOLDER, run

names = sorted(name for name in os.listdir(FOLDER) if name.endswith(".ipynb"))
check(len(names) >= 5, names)
for name in names:
    run(name)
end()
