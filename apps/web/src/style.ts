import '@sathorn/ui/style/reset.css';
import '@sathorn/ui/style/tokens.css';
import '@sathorn/ui/style/base.css';
