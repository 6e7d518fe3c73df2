package dev.holdfast.s3;

import dev.holdfast.testkit.servers.S3Server;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Assumptions;
import software.amazon.awssdk.core.SdkSystemSetting;

/** The S3 server of this test run, started when first needed. */
final class S3 {
    private static final Path JAR = Path.of(System.getProperty("servers", "target/servers"), "s3proxy.jar");

    private S3() {}

    static S3Server server() {
        Assumptions.assumeTrue(Files.exists(JAR), "the S3 server was not fetched to " + JAR);
        haveCredentials();
        return Running.SERVER;
    }

    /** Any will do: the server checks none. */
    static void haveCredentials() {
        System.setProperty(SdkSystemSetting.AWS_ACCESS_KEY_ID.property(), "test");
        System.setProperty(SdkSystemSetting.AWS_SECRET_ACCESS_KEY.property(), "test");
    }

    static String url(int port, String bucket) {
        return "s3://" + bucket + "/locks?endpoint=http://127.0.0.1:" + port;
    }

    private static final class Running {
        static final S3Server SERVER = start();

        private static S3Server start() {
            S3Server server = S3Server.start(JAR);
            Runtime.getRuntime().addShutdownHook(new Thread(server::close));
            return server;
        }
    }
}
