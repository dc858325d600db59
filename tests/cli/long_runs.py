"""Energy, momentum and phase of a cradle, a solid and rigid balls over runs of a five-hundredth of the length that
cli.long_runs_long measures."""
from checks import check, end
from endurance import judge, measure, table

results = measure(0.002)
print(table(results))
judge(results, check, whole=False)
end(least=18)
