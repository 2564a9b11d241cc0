package main

import (
	"context"
	"fmt"

	"github.com/coldsplit/coldsplit/pkg/record"
	"github.com/coldsplit/coldsplit/pkg/schedule"
)

// end writes what is left to write and closes the file.
func (m *measurement) end(ctx context.Context, r schedule.Report) error {
	var err error
	if m.chain != nil && !m.chain.settled {
		held := m.chain.settle()
		if err = m.writeHead(); err == nil {
			err = m.write(held)
		}
	}
	if err == nil {
		err = m.file.w.End(m.ending(ctx, r))
	}
	if m.keylog != nil {
		m.keylog.Close()
	}
	if cerr := m.file.close(); err == nil {
		err = cerr
	}
	if err != nil {
		return m.breakOff(fmt.Errorf("keep the run: %w", err))
	}
	return nil
}

// ending is the end line of the run, with what one more look told.
func (m *measurement) ending(ctx context.Context, r schedule.Report) record.End {
	end := endOf(m.arms, r)
	if m.chain != nil {
		end = m.chain.endOf(r)
	}
	folders := anchorFolders
	if m.world != nil {
		folders = m.world.anchors
	}
	end.Notes = append(end.Notes, m.localIssuers(folders)...)
	end.Notes = append(end.Notes, m.lookUpReserved(ctx)...)
	return end
}

// endOf is the end line of a run.
func endOf(arms []arm, r schedule.Report) record.End {
	end := record.End{Counts: r.Counts, Stop: string(r.Stop)}
	for i, a := range r.Arms {
		end.Arms = append(end.Arms, record.ArmEnd{
			Route: arms[i].route.Name, Counts: a.Counts, Stop: string(a.Stop), Failure: a.Failure, Alike: a.Alike,
		})
	}
	end.Pauses = pausesOf(r)
	return end
}

func pausesOf(r schedule.Report) []record.Pause {
	var out []record.Pause
	for _, p := range r.Pauses {
		out = append(out, record.Pause{After: p.Seq, For: p.For, Granted: p.Granted})
	}
	return out
}
