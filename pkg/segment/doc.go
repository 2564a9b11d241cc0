// Package segment holds coldsplit's vocabulary of time: the keys of the segments an exchange is
// made of, their order, what contains what, and the tiling law.
//
// It is the only place where a key is spelled. The strings are the JSON keys, the CSV headers, the
// table rows and the names a user writes after --max.
//
// It refuses to know how a segment is measured, what it means for a verdict and how it is printed;
// it imports the standard library only.
//
// The rule a caller must hold is the tiling law: the measured leaves of one exchange are
// contiguous, never negative and sum exactly to its total. A [Timeline] builds splits that obey it
// by construction; [Split.Check] tells whether a split read from elsewhere does.
package segment
