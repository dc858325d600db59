// How much the browser works until a page of a million samples is ready. Task: page.
import { browser, check, end, task } from "./open.mjs";

const page = await browser.newPage({ viewport: { width: 1200, height: 860 } });
const tools = await page.context().newCDPSession(page);
await tools.send("Performance.enable", { timeDomain: "threadTicks" });
await page.goto(`file://${task.page}`);
await page.waitForFunction(() => window.carom?.ready);
const { metrics } = await tools.send("Performance.getMetrics"), spent = metrics.find((m) => m.name === "TaskDuration").value;
console.log(`${spent.toFixed(2)} s of work`);
check(await page.evaluate(() => /1.000.001/.test(document.body.innerText)), "all samples are there");
check(spent > 0 && spent < 2, spent, "s of work");
await browser.close();
end();
