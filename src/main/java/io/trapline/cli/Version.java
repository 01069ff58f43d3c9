package io.trapline.cli;

import java.util.Optional;
import picocli.CommandLine.IVersionProvider;

/** Which build this is. */
final class Version implements IVersionProvider {
    @Override
    public String[] getVersion() {
        return new String[] {"trapline " + text()};
    }

    /** The version that the jar was built as; {@code development} outside of a jar. */
    static String text() {
        return Optional.ofNullable(Version.class.getPackage().getImplementationVersion())
                .orElse("development");
    }
}
