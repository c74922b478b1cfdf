/** VitePress's own theme, in the project's colours. */
import DefaultTheme from 'vitepress/theme';
import './site.css';

export default DefaultTheme;
