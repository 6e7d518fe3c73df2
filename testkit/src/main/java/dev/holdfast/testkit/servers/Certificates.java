package dev.holdfast.testkit.servers;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A self-signed certificate for this machine, made by the JDK's own tool.
 *
 * @param certificate as PEM
 * @param key its private key as PEM
 */
public record Certificates(String certificate, String key) {
    public static Certificates rsa(Path directory, String name) throws Exception {
        return make(directory, name, List.of("-keyalg", "RSA", "-keysize", "2048", "-validity", "30"));
    }

    public static Certificates ec(Path directory, String name) throws Exception {
        return make(directory, name, List.of("-keyalg", "EC", "-groupname", "secp256r1", "-validity", "30"));
    }

    /** One that is no longer valid. */
    public static Certificates expired(Path directory, String name) throws Exception {
        return make(
                directory,
                name,
                List.of("-keyalg", "EC", "-groupname", "secp256r1", "-startdate", "-30d", "-validity", "10"));
    }

    public void writeTo(Path certificatePath, Path keyPath) throws IOException {
        Files.writeString(certificatePath, certificate);
        Files.writeString(keyPath, key);
    }

    private static Certificates make(Path directory, String name, List<String> how) throws Exception {
        Path store = directory.resolve(name + ".p12");
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-alias",
                "it",
                "-dname",
                "CN=" + name,
                "-ext",
                "san=ip:127.0.0.1",
                "-storetype",
                "PKCS12",
                "-keystore",
                store.toString(),
                "-storepass",
                "changeit"));
        command.addAll(how);
        Process tool = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve(name + ".log").toFile())
                .start();
        if (!tool.waitFor(60, TimeUnit.SECONDS) || tool.exitValue() != 0) {
            throw new IllegalStateException(Files.readString(directory.resolve(name + ".log")));
        }
        return read(store);
    }

    private static Certificates read(Path path) throws IOException, GeneralSecurityException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(path)) {
            store.load(in, "changeit".toCharArray());
        }
        return new Certificates(
                pem("CERTIFICATE", store.getCertificate("it").getEncoded()),
                pem("PRIVATE KEY", store.getKey("it", "changeit".toCharArray()).getEncoded()));
    }

    private static String pem(String kind, byte[] content) {
        return "-----BEGIN " + kind + "-----\n"
                + Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(content)
                + "\n-----END " + kind + "-----\n";
    }
}
