/**
 * A self-signed certificate for 127.0.0.1 and localhost, valid for a century, with its key. It is trusted only where tests set it as the CA
 * of their receivers.
 */
export const testCertificate = `-----BEGIN CERTIFICATE-----
MIIBhDCCASmgAwIBAgIBATAKBggqhkjOPQQDAjAiMSAwHgYDVQQDDBdnYXRlaG91
c2UgdGVzdCByZWNlaXZlcjAgFw0yMDAxMDEwMDAwMDBaGA8yMTI2MDEwMTAwMDAw
MFowIjEgMB4GA1UEAwwXZ2F0ZWhvdXNlIHRlc3QgcmVjZWl2ZXIwWTATBgcqhkjO
PQIBBggqhkjOPQMBBwNCAAQNR0BlC+TZuRcwi4fJE8d5JhX9xZXwzvOBpCANUchq
oQDzGGMPIrdpaoq0he3+Jn5LewufgEONdtCL+qdRlQ+ho04wTDAaBgNVHREEEzAR
hwR/AAABgglsb2NhbGhvc3QwDwYDVR0TAQH/BAUwAwEB/zAdBgNVHQ4EFgQUH7VB
a9XPuBemKNnSAp4KUph6BL0wCgYIKoZIzj0EAwIDSQAwRgIhAIw7Y7JJpycRLkxJ
Vi9hzYd7fm44Hu6AimzgvyYm+O3EAiEA+/TyPNpFABM7bhZYNsYOL4T+4Mr8T6Kn
Jcj4eJ8Lstg=
-----END CERTIFICATE-----
`;

export const testKey = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgMoHVGjqVKG2L2mBc
Hb+5qz4I53vujIj+TEBPeASGz5ihRANCAAQNR0BlC+TZuRcwi4fJE8d5JhX9xZXw
zvOBpCANUchqoQDzGGMPIrdpaoq0he3+Jn5LewufgEONdtCL+qdRlQ+h
-----END PRIVATE KEY-----
`;
