package dev.holdfast.guard.actuator.builtin;

import dev.holdfast.guard.actuator.ActFailure;
import dev.holdfast.guard.actuator.ActuatorSettings;
import dev.holdfast.guard.actuator.HttpCalls;
import dev.holdfast.guard.probe.TrustedCertificates;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/** Files an actuator is told to believe or to show. */
final class ActuatorSecrets {
    private ActuatorSecrets() {}

    /** Believing only what the certificates in {@code ca_file}, or else in the usual file, have signed; without both, what the JDK does. */
    static HttpCalls calls(ActuatorSettings settings, Optional<Path> usual) {
        Optional<Path> file = settings.file("ca").or(() -> usual);
        try {
            return new HttpCalls(
                    file.isEmpty()
                            ? TrustedCertificates.standard()
                            : TrustedCertificates.only(ActuatorSettings.read(file.get())));
        } catch (IOException | IllegalArgumentException e) {
            settings.problem("ca_file", "'" + file.get() + "': " + e.getMessage());
            return new HttpCalls(TrustedCertificates.standard());
        }
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
