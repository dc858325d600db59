"""1e9 bead-steps of a cradle, 1e7 steps of a solid and 1e6 events: energy, momentum and phase stay where they belong, and memory
stays flat. docs/long-runs.svg is the picture that is left here."""
from checks import check, end
from endurance import judge, measure, picture, table

results = measure()
print(table(results))
judge(results, check, whole=True)
with open("long-runs.svg", "w") as file:
    file.write(picture(results))
end(least=24)
