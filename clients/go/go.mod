module holdfast.dev/clients/go

go 1.19
