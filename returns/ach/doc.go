// Package ach writes files of tax payments for banks in the United States. They have the records of the ACH network, with an
// entry of class CCD and one TXP addendum for each payment. The frame is that of the Nacha Operating Rules, appendix three. The
// addendum is that of the Tax Payment Banking Convention.
//
// It is pure: no clock, no I/O, no float. The same input gives the same bytes.
package ach
