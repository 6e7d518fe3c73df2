package dev.holdfast.server.config;

import dev.holdfast.server.config.settings.SeedSettings;
import dev.holdfast.server.config.settings.ServerSettings;
import java.net.InetAddress;
import java.net.UnknownHostException;

/** What this replica is called if nobody says: {@code HOSTNAME}, which containers set, or the machine's name. */
final class NodeName {
    private NodeName() {}

    static void choose(SettingsResolver draft) {
        if (draft.isGiven(ServerSettings.NODE)) {
            return;
        }
        draft.get(SeedSettings.HOSTNAME)
                .flatMap(name -> name)
                .ifPresentOrElse(
                        name -> put(
                                draft, name, draft.origin(SeedSettings.HOSTNAME).orElse(Origin.DEFAULT)),
                        () -> put(draft, machine(), Origin.DEFAULT));
    }

    private static void put(SettingsResolver draft, String name, Origin origin) {
        draft.put(ServerSettings.NODE, name, name, origin);
    }

    private static String machine() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            return "localhost"; // a machine without a name: a label is all that suffers
        }
    }
}
