package main

import (
	"fmt"
	"io"
)

// showScale writes the tables of all sizes.
func showScale(w io.Writer, all []*scaled) {
	files := [][]string{{"rows", "bytes a row", "zstd", "write /s", "write zstd /s", "read /s, one core", "read /s, all cores"}}
	times := [][]string{{"rows", "report s", "report zstd s", "report, figures new s", "compare s", "compare zstd s", "DuckDB s", "DuckDB's query s", "its query, zstd s", "jq + sort s"}}
	work := [][]string{{"rows", "report s", "report zstd s", "report, figures new s", "compare s", "compare zstd s", "DuckDB s", "jq + sort s"}}
	ratios := [][]string{{"rows", "report / DuckDB", "report / its query", "report zstd / its query", "jq + sort / report", "compare zstd / report zstd"}}
	for _, r := range all {
		rows := fmt.Sprint(r.n)
		files = append(files, []string{rows, perRow(r.size, r.n), perRow(r.small, r.n),
			r.write.show("%.0f"), r.writeZ.show("%.0f"), r.readOne.show("%.0f"), r.readAll.show("%.0f")})
		times = append(times, []string{rows, r.report.wall().show("%.2f"), r.reportZ.wall().show("%.2f"), r.exactly.wall().show("%.2f"), r.compare.wall().show("%.2f"),
			r.compareZ.wall().show("%.2f"), r.duck.wall().show("%.2f"), r.query.show("%.2f"), r.queryZ.show("%.2f"), r.jq.wall().show("%.2f")})
		work = append(work, []string{rows, r.report.cpu().show("%.2f"), r.reportZ.cpu().show("%.2f"), r.exactly.cpu().show("%.2f"), r.compare.cpu().show("%.2f"),
			r.compareZ.cpu().show("%.2f"), r.duck.cpu().show("%.2f"), r.jq.cpu().show("%.2f")})
		ratios = append(ratios, []string{rows, r.report.wall().over(r.duck.wall()).show("%.2f"), r.report.wall().over(r.query).show("%.2f"),
			r.reportZ.wall().over(r.queryZ).show("%.2f"), r.jq.wall().over(r.report.wall()).show("%.1f"), r.compareZ.wall().over(r.reportZ.wall()).show("%.2f")})
	}
	table(w, "Run files", files)
	table(w, "Wall time", times)
	table(w, "Processor time", work)
	table(w, "Ratios of wall time", ratios)
	fmt.Fprintf(w, "\nDuckDB takes the percentiles of the total and of six segments, jq with sort and awk their medians alone."+
		"\nThat and \"figures new\" are one turn where they take more than %.0f s. The answers were found equal to ours. \"figures new\" is a file whose"+
		"\nserver-timing tells microseconds, so that no response says what one before said; in the others it tells milliseconds.\n", patience)
	if all[len(all)-1].big() {
		fmt.Fprintf(w, "Of more than %d rows there are compressed files alone, read in one turn and not by jq; the read rate is theirs.\n", mostPlain)
	}
	showPeaks(w, all)
	showGrowth(w, all)
}

// perRow is a size by rows, "-" for a file that was not written.
func perRow(size int64, rows int) string {
	if size == 0 {
		return "-"
	}
	return fmt.Sprint(size / int64(rows))
}

// showPeaks writes what each further exchange takes of memory: the slope from the smallest size, so that
// what the program takes by itself does not count.
func showPeaks(w io.Writer, all []*scaled) {
	rows := [][]string{{"rows", "report MB", "report zstd MB", "compare zstd MB", "DuckDB MB", "DuckDB, zstd MB", "report, bytes an exchange", "and leaf", "compare, bytes an exchange", "and leaf"}}
	for i, r := range all {
		row := []string{fmt.Sprint(r.n), r.report.peak().show("%.0f"), r.reportZ.peak().show("%.0f"), r.compareZ.peak().show("%.0f"), r.duck.peak().show("%.0f"), r.duckZ.peak().show("%.0f")}
		if i == 0 {
			rows = append(rows, append(row, "-", "-", "-", "-"))
			continue
		}
		report := reportSlope(r, all[0])
		compare := slope(r.compareZ.peak(), all[0].compareZ.peak(), 2*(r.n-all[0].n))
		rows = append(rows, append(row, fmt.Sprintf("%.0f", report), fmt.Sprintf("%.1f", report/leaves),
			fmt.Sprintf("%.0f", compare), fmt.Sprintf("%.1f", compare/leaves)))
	}
	table(w, "Peak memory", rows)
	fmt.Fprintf(w, "\nThe run has %d leaves. compare reads two files of that size; an exchange of either counts.\n", leaves)
}

// showGrowth writes by how much each size takes more than the one before.
func showGrowth(w io.Writer, all []*scaled) {
	if len(all) < 2 {
		return
	}
	rows := [][]string{{"rows", "times as many", "report zstd, wall", "processor", "memory", "compare zstd, wall", "processor", "memory", "DuckDB zstd, wall", "processor", "memory"}}
	for i, r := range all[1:] {
		last := all[i]
		row := []string{fmt.Sprint(r.n), fmt.Sprintf("%.0f", float64(r.n)/float64(last.n))}
		for _, x := range []struct{ now, then usages }{{r.reportZ, last.reportZ}, {r.compareZ, last.compareZ}, {r.duckZ, last.duckZ}} {
			row = append(row, growth(x.now.wall(), x.then.wall()), growth(x.now.cpu(), x.then.cpu()), growth(x.now.peak(), x.then.peak()))
		}
		rows = append(rows, row)
	}
	table(w, "Growth", rows)
	fmt.Fprintln(w, "\nHow many times what the size before took, of the medians. What a program takes by itself makes it less than linear.")
}

func growth(now, then sample) string { return fmt.Sprintf("%.1f", now.median()/then.median()) }

// reportSlope is that of the compressed files where one size has no others.
func reportSlope(r, base *scaled) float64 {
	if r.big() {
		return slope(r.reportZ.peak(), base.reportZ.peak(), r.n-base.n)
	}
	return slope(r.report.peak(), base.report.peak(), r.n-base.n)
}

// slope is how many bytes a row took, of peaks in MiB.
func slope(peak, base sample, rows int) float64 {
	return (peak.median() - base.median()) * (1 << 20) / float64(rows)
}
