// Purpose: the percentiles of a run file's totals and segments, by DuckDB.
// Inputs: the file's path. Outputs: one line of JSON {"n", "p50": {key: ns}, "seconds"}; seconds leaves
// out starting node.
import { DuckDBInstance } from "@duckdb/node-api";

const keys = ["dns", "tcp", "tls", "send", "wait", "transfer"];
const began = performance.now();
const connection = await (await DuckDBInstance.create(":memory:")).connect();
const quantiles = [["total", "total_ns"], ...keys.map((k) => [k, `segments.${k}`])]
  .map(([name, column]) => `quantile_disc(${column}, [0.1, 0.5, 0.9, 0.99]) AS ${name}_q`);
const segments = `STRUCT(${keys.map((k) => `${k} BIGINT`).join(", ")})`;
const reader = await connection.runAndReadAll(`
  SELECT count(*) AS n, ${quantiles.join(", ")}
  FROM read_json('${process.argv[2]}', format = 'newline_delimited',
    columns = {type: 'VARCHAR', outcome: 'VARCHAR', total_ns: 'BIGINT', segments: '${segments}'})
  WHERE type = 'exchange' AND outcome = 'ok'`);
const [row] = reader.getRowObjectsJson();
const p50 = Object.fromEntries(["total", ...keys].map((k) => [k, Number(row[`${k}_q`][1])]));
console.log(JSON.stringify({ n: Number(row.n), p50, seconds: (performance.now() - began) / 1000 }));
