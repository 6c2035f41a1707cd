// Package hmrc files VAT returns with HM Revenue and Customs by its VAT (MTD) API 1.0. Adapter takes the stored document of an
// attempt, asks for the obligation of its period and submits the boxes once. Server is a sandbox that checks requests as the
// description of the API says, for tests and test organizations. Nothing connects a real authority.
//
// Source: description of the API in the public repository hmrc/vat-api, commit 8ddd80d of 26 May 2026. What it does not say,
// such as how a person grants access and the headers for fraud prevention, has its own source where it is used.
package hmrc
