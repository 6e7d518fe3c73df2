package dev.holdfast.cli.connect;

import dev.holdfast.ClientConfig;
import dev.holdfast.state.deploy.DeployMetadata;

/** The person at the command line, as locks and the history show them. */
public final class Operator {
    private Operator() {}

    /** The run of the CI system, else {@code user@host}: the process is gone in a moment, so its number would tell nobody anything. */
    public static String label() {
        DeployMetadata known = DeployMetadata.fromEnvironment();
        if (known.ciSystem().isPresent()) {
            return known.lockedBy();
        }
        String host = ClientConfig.DEFAULT.owner().replaceFirst("-[0-9]+-[0-9]+$", "");
        return System.getProperty("user.name", "somebody") + "@" + host;
    }

    /** A client that acts in this name. */
    public static ClientConfig config() {
        return ClientConfig.DEFAULT.withOwner(label());
    }
}
