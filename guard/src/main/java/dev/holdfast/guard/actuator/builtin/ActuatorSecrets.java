package dev.holdfast.guard.actuator.builtin;

import dev.holdfast.guard.actuator.ActFailure;
import dev.holdfast.guard.actuator.ActuatorSettings;
import dev.holdfast.guard.probe.TrustedCertificates;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import javax.net.ssl.SSLContext;

/** Files an actuator is told to believe or to show. */
final class ActuatorSecrets {
    private ActuatorSecrets() {}

    /** Only what the certificates in {@code ca_file} have signed, if there is one. */
    static Optional<SSLContext> from(ActuatorSettings settings) {
        return settings.file("ca").flatMap(path -> {
            try {
                return Optional.of(TrustedCertificates.only(ActuatorSettings.read(path)));
            } catch (IOException | IllegalArgumentException e) {
                settings.problem("ca_file", "'" + path + "': " + e.getMessage());
                return Optional.empty();
            }
        });
    }

    /** The secret in the file as it is now: such files are replaced while the server runs. */
    static String secret(Path file) throws ActFailure {
        try {
            String secret = ActuatorSettings.read(file);
            if (secret.isEmpty() || secret.chars().anyMatch(c -> c < 0x20 || c > 0x7e)) {
                throw new ActFailure("'" + file + "' does not hold one line with a token");
            }
            return secret;
        } catch (IOException e) {
            throw new ActFailure("the token in '" + file + "' cannot be read: " + e.getMessage(), e);
        }
    }
}
