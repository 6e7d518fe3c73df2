package dev.holdfast.spi;

/** The URLs of stores, as they may be shown. */
public final class StoreUrls {
    private StoreUrls() {}

    /** No password may reach a log, neither before the host nor among the parameters. */
    public static String masked(String url) {
        return url.replaceFirst("://([^/@:]*):[^/]*@", "://$1:***@")
                .replaceAll("(?i)([?&;]\\w*password=)[^&;]*", "$1***");
    }
}
