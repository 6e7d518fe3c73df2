package dev.holdfast.cli.connect;

import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Option;

/** The certificates of a connection: which to trust, and which to show. */
public final class TrustOptions {
    @Option(
            names = "--ca-file",
            paramLabel = "FILE",
            description =
                    "Certificates (PEM) to trust when the server speaks HTTPS (HOLDFAST_CA_FILE; default: those of Java).")
    private Optional<Path> caFile = Optional.empty();

    @Option(
            names = "--client-cert",
            paramLabel = "FILE",
            description = "Certificate (PEM) to show to a server that asks for one (HOLDFAST_CLIENT_CERT).")
    private Optional<Path> clientCert = Optional.empty();

    @Option(
            names = "--client-key",
            paramLabel = "FILE",
            description = "The private key of --client-cert (PEM, PKCS#8; HOLDFAST_CLIENT_KEY).")
    private Optional<Path> clientKey = Optional.empty();

    public void addTo(Map<String, String> flags) {
        caFile.ifPresent(it -> flags.put(Context.CA_FILE, it.toString()));
        clientCert.ifPresent(it -> flags.put(Context.CLIENT_CERT, it.toString()));
        clientKey.ifPresent(it -> flags.put(Context.CLIENT_KEY, it.toString()));
    }
}
