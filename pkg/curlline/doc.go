// Package curlline reads a curl command line, as a browser copies it or a runbook holds it, into a
// neutral description of the request.
//
// It knows curl's options, how bash, cmd.exe and PowerShell quote, and what curl makes of data,
// forms, headers and URLs. It refuses to send anything, to open a file (names come back as
// references; [Request.Load] reads them through the caller's function), to run what a line pipes
// into, and to guess: an option it does not know is an error.
//
// Two lists come with every request. NotHonoured names what the line asks for and will not happen,
// so that the request sent is another one than curl's; Changes says what curl would do beside the
// request and a measurement does not. The rule a caller must hold: show both before the numbers.
// Neither list, and no error, repeats a header's value, a password or a body.
package curlline
