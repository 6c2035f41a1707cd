// Package soap writes and reads the messages by which simplified returns are exchanged with the web services of states. They are of
// SOAP 1.1, document/literal wrapped, with a username token. The same message without its password is the file that people upload
// at the web sites of other states. It sends nothing.
package soap
