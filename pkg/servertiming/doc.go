// Package servertiming reads the Server-Timing response field.
//
// It knows the grammar (W3C Server Timing, section "The Server-Timing Header
// Field", ABNF and prose) and nothing about who writes which name: a metric
// called "origin" is a word here, not a segment. It refuses to turn a missing,
// an empty or an unreadable duration into zero; those are separate facts.
//
// The one rule a caller must hold: hand in one field line at a time, as it
// came. Joining lines first lets an unclosed quote in one of them swallow the
// next, and who wrote a line is evidence that joining destroys.
//
// All strings returned are untrusted bytes taken from the field. They may hold
// control characters and need not be UTF-8; whoever prints them escapes them.
package servertiming
