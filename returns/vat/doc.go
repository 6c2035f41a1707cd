// Package vat has the VAT return of the United Kingdom: nine boxes, as the VAT (MTD) API 1.0 of HM Revenue and Customs takes
// them. Document is what is stored of an attempt, and Request what is sent, with the key of the period, which the authority
// alone knows. ReadRequest and Fault check a request as the authority would.
//
// It is pure: no clock, no I/O, no float. The same return gives the same bytes.
//
// Source: description of the API in the public repository hmrc/vat-api, resources/public/api/conf/1.0/application.yaml,
// commit 8ddd80d of 26 May 2026.
package vat
