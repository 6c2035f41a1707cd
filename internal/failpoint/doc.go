// Package failpoint lets tests make a process fail at named points of its code.
//
// Without the build tag chaos Hit does nothing and costs nothing. With it, the
// environment variable LEVY_FAILPOINTS says what happens where:
//
//	after_commit=error;before_stage_commit=skip*3,kill
//
// Points are separated by semicolons. Each has terms, separated by commas, which
// take effect one after the other; a term with *n takes effect n times, one
// without for ever. A point whose terms are used up does nothing any more.
//
//	skip      nothing happens
//	kill      the process ends as by kill -9
//	error     Hit returns an error that is no outage
//	timeout   Hit returns an error as of a call that took too long: placed after an
//	          effect, it is "done, but no caller heard of it"
//	sleep(d)  Hit returns after d, such as 500ms
package failpoint
